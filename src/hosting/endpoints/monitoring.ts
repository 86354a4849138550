import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { rrdRanges, vpsName } from './fields.ts';

export const getLiveMonitoring = defineEndpoint({
  summary: 'Live data of a VPS',
  method: 'GET',
  path: '/v1/vps/{vps_name}/monitoring/live',
  permission: 'vps.monitoring',
  params: { vps_name: vpsName },
});

export const getRrdMonitoring = defineEndpoint({
  summary: 'Aggregated RRD points of a VPS, for history graphs',
  method: 'GET',
  path: '/v1/vps/{vps_name}/monitoring/rrd',
  permission: 'vps.monitoring',
  params: { vps_name: vpsName },
  query: { range: z.enum(rrdRanges).optional() },
});
