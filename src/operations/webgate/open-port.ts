import { z } from 'zod';
import { createDedicatedPort } from '../../hosting/endpoints/webgate.ts';
import { findText } from '../../hosting/payloads/record.ts';
import { readWebgate } from '../../hosting/payloads/webgate.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { type Argument, choiceArgument, portArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';

/** Normalized names of the fields that can contain the host that people connect to. */
const publicHostFields = ['host', 'externalhost', 'publichost', 'publicip', 'externalip', 'gatewayhost'];

/** Ports on which usually only databases and remote desktops listen, where a guessed login can lead to data loss. */
const sensitivePorts: Readonly<Record<number, string>> = {
  1433: 'SQL Server',
  1521: 'Oracle',
  3306: 'MySQL',
  3389: 'Remote Desktop',
  5432: 'PostgreSQL',
  5900: 'VNC',
  6379: 'Redis',
  9200: 'Elasticsearch',
  11211: 'Memcached',
  27017: 'MongoDB',
};

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
  summary: 'Open a dedicated port that forwards to a VPS',
  arguments: {
    vps: vpsArgument(),
    protocol,
    port: portArgument({
      label: 'Port',
      example: '8080',
      hint: 'The port on the VPS. The service picks the external port, from 30000 to 60000.',
    }),
  },
  endpoint: createDedicatedPort,
  button: 'Open Port',
  confirmation: { isNeeded: ({ port = 0 }) => port in sensitivePorts },
  warning({ port }) {
    const service = sensitivePorts[port];
    return service && `${service} usually listens on ${port}. This exposes it to the whole internet.`;
  },
  title: ({ vps, protocol: by, port }) =>
    `Open a dedicated ${by.toUpperCase()} port to port ${port} on ${vps}`,
  target: ({ vps }) => vps,
  request: ({ vps, protocol: by, port }) => ({ body: { vps_name: vps, protocol: by, target_port: port } }),
  outcome(data, { vps, protocol: by, port }) {
    const opened = readWebgate(data).ports[0];
    const external = opened?.externalPort;
    const host = opened && findText(opened.record, publicHostFields);
    const address = host === undefined || external === undefined ? undefined : `${host}:${external}`;
    const close = { label: 'Close Port', operation: 'port close', input: { port: String(external) } };
    return {
      title:
        external === undefined
          ? `A dedicated ${by.toUpperCase()} port to port ${port} on ${vps} is open`
          : `Port ${external} forwards to port ${port} on ${vps} (${by.toUpperCase()})`,
      ...formatResult(data, {
        leading:
          address === undefined ? [] : [{ label: 'Connect to', value: { kind: 'code', code: address } }],
        omit: [
          ...['id', 'vps_name', 'protocol', 'target_port'],
          ...(external === undefined ? [] : ['external_port']),
          ...(address === undefined ? [] : ['host']),
        ],
      }),
      next: [
        { label: 'Show WebGate', operation: 'webgate', input: {} },
        ...(external === undefined ? [] : [close]),
      ],
    };
  },
});
