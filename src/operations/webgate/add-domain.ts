import { createDomain } from '../../hosting/endpoints/webgate.ts';
import { textArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { tellResult } from '../tell-result.ts';
import { domainName } from './domain-name.ts';

export const addDomain = defineChange({
  name: 'domain add',
  heading: 'Add a domain',
  summary: 'Point a domain at a VPS',
  arguments: {
    domain: textArgument({ label: 'Domain', example: 'app.example.com' }, domainName),
    vps: vpsArgument(),
  },
  change: createDomain,
  button: 'Add Domain',
  title: ({ domain, vps }) => `Point ${domain} at ${vps}`,
  target: ({ domain }) => domain,
  request: ({ domain, vps }) => ({ body: { domain_name: domain, vps_name: vps } }),
  outcome: (data, { domain, vps }) => ({
    title: `${domain} leads to ${vps}`,
    ...tellResult(data, { without: ['domain_name', 'vps_name'] }),
    next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
  }),
});
