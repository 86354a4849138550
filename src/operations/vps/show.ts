import { getVps } from '../../hosting/endpoints/vps.ts';
import { readVps } from '../../hosting/readings.ts';
import { vpsArgument } from '../argument.ts';
import { readFacts } from '../facts.ts';
import { defineRead } from '../operation.ts';

export const show = defineRead({
  name: 'show',
  heading: 'Show a VPS',
  summary: 'Show one VPS',
  arguments: { vps: vpsArgument() },
  uses: [getVps],
  async run({ read }, { vps: name }) {
    const vps = readVps(await read(getVps, { params: { vps_name: name } }), name);
    return {
      title: name,
      facts: [
        { label: 'State', value: { state: vps.state ?? 'not shown' } },
        ...readFacts(vps.record, { without: ['vps_name', 'name', 'state', 'status'] }),
      ],
      next: [
        { label: 'Reboot', operation: 'reboot', input: { vps: name } },
        { label: 'Take Snapshot', operation: 'snapshot create', input: { vps: name } },
      ],
    };
  },
});
