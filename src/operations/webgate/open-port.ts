import { z } from 'zod';
import { createDedicatedPort } from '../../hosting/endpoints/webgate.ts';
import { readWebgate } from '../../hosting/payloads/webgate.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { type Argument, choiceArgument, portArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';

const error = 'The protocol is tcp or http';

/** Required, because the API document names these two protocols but no default. */
const protocol: Argument<'tcp' | 'http'> = {
  ...choiceArgument({ label: 'Protocol', example: 'tcp', options: ['tcp', 'http'] }),
  required: true,
  schema: z
    .string({ error })
    .trim()
    .toLowerCase()
    .pipe(z.enum(['tcp', 'http'], { error })),
};

export const portOpen = defineChange({
  name: 'port open',
  heading: 'Open a dedicated port',
  summary: 'Open a dedicated port to a port of a VPS',
  arguments: {
    vps: vpsArgument(),
    protocol,
    port: portArgument({
      label: 'Port',
      example: '5432',
      hint: 'The port of the VPS. The service chooses the external port, 30000 to 60000.',
    }),
  },
  endpoint: createDedicatedPort,
  button: 'Open Port',
  title: ({ vps, protocol: by, port }) => `Open a ${by} port to ${vps}:${port}`,
  target: ({ vps }) => vps,
  request: ({ vps, protocol: by, port }) => ({ body: { vps_name: vps, protocol: by, target_port: port } }),
  outcome(data, { vps, protocol: by, port }) {
    const external = readWebgate(data).ports[0]?.externalPort;
    const close = { label: 'Close Port', operation: 'port close', input: { port: String(external) } };
    return {
      title:
        external === undefined
          ? `A ${by} port to ${vps}:${port} is open`
          : `Port ${external} forwards to ${vps}:${port} by ${by}`,
      ...formatResult(data, { omit: ['vps_name', 'protocol', 'target_port'] }),
      next: [
        { label: 'Show WebGate', operation: 'webgate', input: {} },
        ...(external === undefined ? [] : [close]),
      ],
    };
  },
});
