import { getWebgate } from '../../hosting/endpoints/webgate.ts';
import { externalPorts } from '../../hosting/fields.ts';
import {
  type DedicatedPortReading,
  readWebgate,
  type WebgateReading,
} from '../../hosting/readings/webgate.ts';
import { describeBackend, describePort } from '../webgate/describe.ts';
import type { Choice, Source } from './source.ts';

/** The domains of the WebGate. */
export const domains = webgateSource({
  name: 'domains',
  noun: 'a domain',
  unknown: (name) => `No domain ${name} leads to a VPS here.`,
  choicesOf: ({ domains: all }) =>
    all.map(({ domainName, vpsName }) => choice(domainName, domainName, vpsName)),
});

/** The dedicated ports of the WebGate, by their external port. */
export const dedicatedPorts = webgateSource({
  name: 'dedicated-ports',
  noun: 'a dedicated port',
  unknown: (name) => `There is no dedicated port ${name}.`,
  choicesOf: ({ ports }) =>
    ports
      .filter(({ externalPort }) => externalPort >= externalPorts.min && externalPort <= externalPorts.max)
      .map((port) => choice(String(port.externalPort), String(port.externalPort), describePort(port))),
});

/** The load balancers of the WebGate. */
export const loadBalancers = webgateSource({
  name: 'load-balancers',
  noun: 'a load balancer',
  unknown: (name) => `There is no load balancer ${name}.`,
  choicesOf: ({ loadBalancers: all }) =>
    all.map(({ domainName, backends }) =>
      choice(domainName, domainName, backends.map(describeBackend).join(', ')),
    ),
});

/**
 * What a load balancer can be linked to: none, or a dedicated port by its identifier. Where the service shows no identifier, which
 * the API document does not promise, it is the external port, by which the document names a port elsewhere.
 */
export const linkablePorts = webgateSource({
  name: 'linkable-ports',
  noun: 'a dedicated port',
  unknown: (name) => `There is no dedicated port ${name}.`,
  choicesOf: ({ ports }) => [choice('0', 'None'), ...ports.map(linkableChoice)],
});

function linkableChoice(port: DedicatedPortReading): Choice {
  const { id, externalPort } = port;
  return {
    ...choice(String(id ?? externalPort), `Port ${externalPort}`, describePort(port)),
    aliases: [String(externalPort)],
  };
}

function choice(value: string, text: string, hint?: string): Choice {
  return { value, text, ...(hint && { hint }) };
}

function webgateSource({
  choicesOf,
  ...texts
}: Pick<Source, 'name' | 'noun' | 'unknown'> & {
  readonly choicesOf: (reading: WebgateReading) => readonly Choice[];
}): Source {
  return {
    ...texts,
    async load(read, _, maxAgeMs) {
      const reading = readWebgate(await read(getWebgate, {}, { maxAgeMs }));
      const choices = choicesOf(reading);
      return { choices, isComplete: choices.length > 0 && !reading.mayHaveMore };
    },
  };
}
