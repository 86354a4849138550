import { createDomain } from '../../hosting/endpoints/webgate.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { textArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { domainNameSchema } from './domain-name.ts';
import { readDomainState } from './target-state.ts';

export const domainAdd = defineChange({
  name: 'domain add',
  heading: 'Add a domain',
  summary: 'Point a domain at a VPS',
  arguments: {
    domain: textArgument({ label: 'Domain', example: 'app.example.com' }, domainNameSchema),
    vps: vpsArgument(),
  },
  endpoint: createDomain,
  button: 'Add Domain',
  title: ({ domain, vps }) => `Point ${domain} at ${vps}`,
  target: ({ domain }) => domain,
  readTargetState: ({ read }, { domain }) => readDomainState(read, domain),
  request: ({ domain, vps }) => ({ body: { domain_name: domain, vps_name: vps } }),
  outcome: (data, { domain, vps }) => ({
    title: `${domain} points to ${vps}`,
    ...formatResult(data, { omit: ['domain_name', 'vps_name'] }),
    next: [
      { label: 'Show WebGate', operation: 'webgate', input: {} },
      { label: 'Delete Domain', operation: 'domain delete', input: { domain } },
    ],
  }),
});
