import { deleteDomain as deleteDomainEndpoint } from '../../hosting/endpoints/webgate.ts';
import { remoteArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { domains } from '../sources/webgate.ts';
import { tellResult } from '../tell-result.ts';
import { presentPart } from './present.ts';

export const deleteDomain = defineChange({
  name: 'domain delete',
  heading: 'Delete a domain',
  summary: 'Delete a domain that leads to a VPS',
  arguments: {
    domain: remoteArgument({ source: domains, label: 'Domain', example: 'app.example.com' }),
  },
  change: deleteDomainEndpoint,
  button: 'Delete Domain',
  warning: 'Whoever calls it is no longer led to the VPS.',
  title: ({ domain }) => `Delete domain ${domain}`,
  target: ({ domain }) => domain,
  present: ({ read }, { domain }) =>
    presentPart(read, 'Domain', ({ domains: all }) => {
      const found = all.find(({ domainName }) => domainName === domain);
      return (
        found && { facts: [{ label: 'Leads to', value: found.vpsName ?? 'not shown' }], record: found.record }
      );
    }),
  request: ({ domain }) => ({ params: { domain_name: domain } }),
  outcome: (data, { domain }) => ({
    title: `Domain ${domain} is deleted`,
    ...tellResult(data, { without: ['domain_name', 'deleted'] }),
    next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
  }),
});
