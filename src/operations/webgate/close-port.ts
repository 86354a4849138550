import { z } from 'zod';
import { deleteDedicatedPort } from '../../hosting/endpoints/webgate.ts';
import { externalPorts } from '../../hosting/fields.ts';
import { type Argument, remoteArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { dedicatedPorts } from '../sources/webgate.ts';
import { tellResult } from '../tell-result.ts';
import { describePort } from './describe.ts';
import { presentPart } from './present.ts';

const { min, max } = externalPorts;
const error = `An external port is a number from ${min} to ${max}`;

const externalPort: Argument<string> = {
  ...remoteArgument({ source: dedicatedPorts, label: 'External port', example: '43210' }),
  schema: z
    .string({ error })
    .trim()
    .refine((port) => /^\d{5}$/.test(port) && Number(port) >= min && Number(port) <= max, { error }),
};

export const closePort = defineChange({
  name: 'port close',
  heading: 'Close a dedicated port',
  summary: 'Close a dedicated port, by its external port',
  arguments: { port: externalPort },
  change: deleteDedicatedPort,
  button: 'Close Port',
  warning: 'Its number is gone: a port that is opened later gets another one.',
  title: ({ port }) => `Close port ${port}`,
  target: ({ port }) => port,
  present: ({ read }, { port }) =>
    presentPart(read, 'Port', ({ ports }) => {
      const found = ports.find((one) => String(one.externalPort) === port);
      return found && { facts: [{ label: 'Leads to', value: describePort(found) }], record: found.record };
    }),
  request: ({ port }) => ({ params: { external_port: port } }),
  outcome: (data, { port }) => ({
    title: `Port ${port} is closed`,
    ...tellResult(data, { without: ['external_port', 'deleted'] }),
    next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
  }),
});
