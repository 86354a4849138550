import type * as endpoints from '../../../hosting/endpoints/monitoring.ts';
import type { HandlersOf } from '../handler.ts';
import { history, liveReading } from '../monitoring/readings.ts';

/** Answers for the monitoring. */
export const monitoringHandlers: HandlersOf<typeof endpoints> = {
  getLiveMonitoring({ account, params, nowMs }) {
    const machine = account.machines.get(params.vps_name);
    return { vps_name: machine.vps_name, ...liveReading(machine, account.noise, nowMs) };
  },

  getRrdMonitoring({ account, params, query: { range = 'hour' }, nowMs }) {
    const machine = account.machines.get(params.vps_name);
    return { vps_name: machine.vps_name, range, points: history(machine, account.noise, range, nowMs) };
  },
};
