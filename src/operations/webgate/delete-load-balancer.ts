import { deleteLoadBalancer } from '../../hosting/endpoints/webgate.ts';
import { loadBalancerChoices } from '../choices/sources/webgate.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { domainArgument } from './domain-name.ts';
import { formatBackends, readWebgatePartState } from './target-state.ts';

export const lbDelete = defineChange({
  name: 'lb delete',
  heading: 'Delete a load balancer',
  summary: 'Delete a load balancer by its domain',
  arguments: { domain: domainArgument(loadBalancerChoices) },
  endpoint: deleteLoadBalancer,
  button: 'Delete',
  warning: "The domain stops working. The VPS behind it aren't changed.",
  title: ({ domain }) => `Delete load balancer ${domain}`,
  target: ({ domain }) => domain,
  readTargetState: ({ read }, { domain }) =>
    readWebgatePartState(read, 'Load balancer', ({ loadBalancers: all }) => {
      const found = all.find(({ domainName }) => domainName === domain);
      return found && { facts: formatBackends(found), record: found.record };
    }),
  request: ({ domain }) => ({ params: { domain_name: domain } }),
  outcome: (data, { domain }) => ({
    title: `Load balancer ${domain} is deleted`,
    ...formatResult(data, { omit: ['domain_name', 'deleted'] }),
    next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
  }),
});
