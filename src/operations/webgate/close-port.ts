import { z } from 'zod';
import { externalPortRange } from '../../hosting/endpoints/fields.ts';
import { deleteDedicatedPort } from '../../hosting/endpoints/webgate.ts';
import { dedicatedPortChoices } from '../choices/sources/webgate.ts';
import { type Argument, remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { formatPort } from '../format/webgate-parts.ts';
import { readWebgatePartState } from './target-state.ts';

const { min, max } = externalPortRange;
const error = `An external port is a number from ${min} to ${max}`;

const externalPort: Argument<string> = {
  ...remoteArgument({ source: dedicatedPortChoices, label: 'External port', example: '43210' }),
  schema: z
    .string({ error })
    .trim()
    .refine((port) => /^\d{5}$/.test(port) && Number(port) >= min && Number(port) <= max, { error }),
};

export const portClose = defineChange({
  name: 'port close',
  heading: 'Close a dedicated port',
  summary: 'Close a dedicated port by its external port',
  arguments: { port: externalPort },
  endpoint: deleteDedicatedPort,
  button: 'Close Port',
  warning: "You can't get this port number back.",
  title: ({ port }) => `Close port ${port}`,
  target: ({ port }) => port,
  readTargetState: ({ read }, { port }) =>
    readWebgatePartState(read, 'Port', ({ ports }) => {
      const found = ports.find((one) => String(one.externalPort) === port);
      return found && { facts: [{ label: 'Forwards to', value: formatPort(found) }], record: found.record };
    }),
  request: ({ port }) => ({ params: { external_port: port } }),
  outcome: (data, { port }) => ({
    title: `Port ${port} is closed`,
    ...formatResult(data, { omit: ['external_port', 'deleted'] }),
    next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
  }),
});
