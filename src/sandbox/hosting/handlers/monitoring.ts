import type * as endpoints from '../../../hosting/endpoints/monitoring.ts';
import { liveMetrics, metricsHistory } from '../monitoring/vps-metrics.ts';
import type { PartHandlers } from './handler.ts';

export const monitoringHandlers: PartHandlers<typeof endpoints> = {
  getLiveMonitoring({ account, params, nowMs }) {
    const machine = account.vps.get(params.vps_name);
    return { vps_name: machine.vps_name, ...liveMetrics(machine, account.noise, nowMs) };
  },

  getRrdMonitoring({ account, params, query: { range = 'hour' }, nowMs }) {
    const machine = account.vps.get(params.vps_name);
    return {
      vps_name: machine.vps_name,
      range,
      points: metricsHistory(machine, account.noise, range, nowMs),
    };
  },
};
