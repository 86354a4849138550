import { deleteDomain } from '../../hosting/endpoints/webgate.ts';
import { domainChoices } from '../choices/sources/webgate.ts';
import { remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { readWebgatePartState } from './target-state.ts';

export const domainDelete = defineChange({
  name: 'domain delete',
  heading: 'Delete a domain',
  summary: 'Delete a domain that points to a VPS',
  arguments: {
    domain: remoteArgument({ source: domainChoices, label: 'Domain', example: 'app.example.com' }),
  },
  endpoint: deleteDomain,
  button: 'Delete Domain',
  warning: 'Traffic for this domain no longer reaches the VPS.',
  title: ({ domain }) => `Delete domain ${domain}`,
  target: ({ domain }) => domain,
  readTargetState: ({ read }, { domain }) =>
    readWebgatePartState(read, 'Domain', ({ domains: all }) => {
      const found = all.find(({ domainName }) => domainName === domain);
      return (
        found && {
          facts: [{ label: 'Points to', value: found.vpsName ?? 'not shown' }],
          record: found.record,
        }
      );
    }),
  request: ({ domain }) => ({ params: { domain_name: domain } }),
  outcome: (data, { domain }) => ({
    title: `Domain ${domain} is deleted`,
    ...formatResult(data, { omit: ['domain_name', 'deleted'] }),
    next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
  }),
});
