import { externalPortRange } from '../../../hosting/endpoints/fields.ts';
import { getWebgate } from '../../../hosting/endpoints/webgate.ts';
import { type DedicatedPort, readWebgate, type Webgate } from '../../../hosting/payloads/webgate.ts';
import type { Choice, ChoiceSource } from '../../define/arguments/choice-source.ts';
import { formatBackend, formatPort } from '../../format/webgate-parts.ts';

export const domainChoices = createWebgateSource({
  name: 'domains',
  noun: 'a domain',
  formatNotFound: (name) => `${name} isn't in the service's list of domains.`,
  choicesOf: ({ domains: all }) =>
    all.map(({ domainName, vpsName }) => createChoice(domainName, domainName, vpsName)),
});

/** Offers the dedicated ports of the WebGate, by external port. */
export const dedicatedPortChoices = createWebgateSource({
  name: 'dedicated-ports',
  noun: 'a dedicated port',
  formatNotFound: (name) => `Port ${name} isn't in the service's list of dedicated ports.`,
  choicesOf: ({ ports }) =>
    ports
      .filter(
        ({ externalPort }) => externalPort >= externalPortRange.min && externalPort <= externalPortRange.max,
      )
      .map((port) => createChoice(String(port.externalPort), String(port.externalPort), formatPort(port))),
});

export const loadBalancerChoices = createWebgateSource({
  name: 'load-balancers',
  noun: 'a load balancer',
  formatNotFound: (name) => `${name} isn't in the service's list of active load balancers.`,
  choicesOf: ({ loadBalancers: all }) =>
    all.map(({ domainName, backends }) =>
      createChoice(domainName, domainName, backends.map(formatBackend).join(', ')),
    ),
});

/**
 * Offers the dedicated ports that can be linked to a load balancer, and a choice for no port. The value is
 * the port's ID or, if the service doesn't show one, the external port, which the API document uses
 * elsewhere.
 */
export const linkablePortChoices = createWebgateSource({
  name: 'linkable-ports',
  noun: 'a dedicated port',
  formatNotFound: (name) => `Port ${name} isn't in the service's list of dedicated ports.`,
  choicesOf: ({ ports }) => [createChoice('0', 'None'), ...ports.map(toLinkableChoice)],
});

function toLinkableChoice(port: DedicatedPort): Choice {
  const { id, externalPort } = port;
  return {
    ...createChoice(String(id ?? externalPort), `Port ${externalPort}`, formatPort(port)),
    aliases: [String(externalPort)],
  };
}

function createChoice(value: string, text: string, hint?: string): Choice {
  return { value, text, ...(hint && { hint }) };
}

function createWebgateSource({
  choicesOf,
  ...texts
}: Pick<ChoiceSource, 'name' | 'noun' | 'formatNotFound'> & {
  readonly choicesOf: (reading: Webgate) => readonly Choice[];
}): ChoiceSource {
  return {
    ...texts,
    listStep: () => ({ label: 'Show WebGate', operation: 'webgate', input: {} }),
    async load(read, _, maxAgeMs) {
      const reading = readWebgate(await read(getWebgate, {}, { maxAgeMs }));
      const choices = choicesOf(reading);
      return { choices, isComplete: choices.length > 0 && !reading.hasMore };
    },
  };
}
