import { deleteLoadBalancer } from '../../hosting/endpoints/webgate.ts';
import { remoteArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { loadBalancers } from '../sources/webgate.ts';
import { tellResult } from '../tell-result.ts';
import { backendFacts, presentPart } from './present.ts';

export const deleteBalancer = defineChange({
  name: 'lb delete',
  heading: 'Delete a load balancer',
  summary: 'Delete a load balancer, by its domain',
  arguments: {
    domain: remoteArgument({ source: loadBalancers, label: 'Domain', example: 'app.example.com' }),
  },
  change: deleteLoadBalancer,
  button: 'Delete',
  warning: 'Its domain leads nowhere from then on. The VPS behind it stay as they are.',
  title: ({ domain }) => `Delete load balancer ${domain}`,
  target: ({ domain }) => domain,
  present: ({ read }, { domain }) =>
    presentPart(read, 'Load balancer', ({ loadBalancers: all }) => {
      const found = all.find(({ domainName }) => domainName === domain);
      return found && { facts: backendFacts(found), record: found.record };
    }),
  request: ({ domain }) => ({ params: { domain_name: domain } }),
  outcome: (data, { domain }) => ({
    title: `Load balancer ${domain} is deleted`,
    ...tellResult(data, { without: ['domain_name', 'deleted'] }),
    next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
  }),
});
