import { getVps } from '../../hosting/endpoints/vps.ts';
import { readVps } from '../../hosting/profile/resources/vps/vps.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';

export const show = defineRead({
  name: 'show',
  heading: 'Show a VPS',
  summary: 'Show one VPS',
  arguments: { vps: vpsArgument() },
  endpoints: [getVps],
  async run({ read }, { vps }) {
    const { state, record } = readVps(await read(getVps, { params: { vps_name: vps } }), vps);
    return {
      title: vps,
      ...formatResult(record, {
        leading: [{ label: 'State', value: { kind: 'state', state: state ?? 'not shown' } }],
        omit: ['vps_name', 'name', 'state', 'status'],
      }),
      next: [
        { label: 'Reboot', operation: 'reboot', input: { vps } },
        { label: 'Graph', operation: 'graph', input: { vps } },
        { label: 'Take Snapshot', operation: 'snapshot create', input: { vps } },
        { label: 'Live', operation: 'live', input: { vps } },
      ],
    };
  },
});
