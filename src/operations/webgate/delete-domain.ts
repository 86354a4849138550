import { deleteDomain } from '../../hosting/endpoints/webgate.ts';
import { isVpsName } from '../../hosting/payloads/vps-name.ts';
import { domainChoices } from '../choices/sources/webgate.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { findFactText } from '../format/target-state.ts';
import { domainArgument } from './domain-name.ts';
import { noDomain, pointsToLabel, readDomainState } from './target-state.ts';

export const domainDelete = defineChange({
  name: 'domain delete',
  heading: 'Delete a domain',
  summary: 'Delete a domain that points to a VPS',
  arguments: { domain: domainArgument(domainChoices) },
  endpoint: deleteDomain,
  button: 'Delete Domain',
  warning: 'Traffic for this domain no longer reaches the VPS.',
  title: ({ domain }) => `Delete domain ${domain}`,
  target: ({ domain }) => domain,
  readTargetState: ({ read }, { domain }) => readDomainState(read, domain),
  undo({ domain }, before) {
    const vps = findFactText(before, pointsToLabel);
    return isVpsName(vps)
      ? { label: 'Add Domain Again', operation: 'domain add', input: { domain, vps }, expected: noDomain }
      : undefined;
  },
  request: ({ domain }) => ({ params: { domain_name: domain } }),
  outcome: (data, { domain }) => ({
    title: `Domain ${domain} is deleted`,
    ...formatResult(data, { omit: ['domain_name', 'deleted'] }),
    next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
  }),
});
