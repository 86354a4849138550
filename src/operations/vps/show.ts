import { getVps } from '../../hosting/endpoints/vps.ts';
import { readVps } from '../../hosting/payloads/vps.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import { moreArgument } from '../format/facts.ts';
import { formatFields } from '../format/format-result.ts';

export const show = defineRead({
  name: 'show',
  heading: 'Show a VPS',
  summary: 'Show one VPS',
  arguments: { vps: vpsArgument(), more: moreArgument() },
  endpoints: [getVps],
  async run({ read }, { vps, more }) {
    const { state, record } = readVps(await read(getVps, { params: { vps_name: vps } }), vps);
    const step = { operation: 'show', input: { vps }, more };
    const fields = formatFields(record, step, {
      leading: [{ label: 'State', value: { kind: 'state', state: state ?? 'not shown' } }],
      omit: ['vps_name', 'name', 'state', 'status'],
    });
    return {
      title: vps,
      facts: fields.facts,
      hasTwoColumns: true,
      secrets: fields.secrets,
      next: [
        { label: 'Reboot', operation: 'reboot', input: { vps } },
        { label: 'Graph', operation: 'graph', input: { vps } },
        { label: 'Take Snapshot', operation: 'snapshot create', input: { vps } },
        { label: 'Live', operation: 'live', input: { vps } },
        ...fields.more,
      ],
    };
  },
});
