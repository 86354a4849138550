import { getVps } from '../../hosting/endpoints/vps.ts';
import { readVps } from '../../hosting/readings/vps.ts';
import { vpsArgument } from '../argument.ts';
import { defineRead } from '../operation.ts';
import { tellResult } from '../tell-result.ts';

export const show = defineRead({
  name: 'show',
  heading: 'Show a VPS',
  summary: 'Show one VPS',
  arguments: { vps: vpsArgument() },
  uses: [getVps],
  async run({ read }, { vps }) {
    const { state, record } = readVps(await read(getVps, { params: { vps_name: vps } }), vps);
    return {
      title: vps,
      ...tellResult(record, {
        known: [{ label: 'State', value: { state: state ?? 'not shown' } }],
        without: ['vps_name', 'name', 'state', 'status'],
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
