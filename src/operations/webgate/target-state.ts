import { getWebgate } from '../../hosting/endpoints/webgate.ts';
import type { ServiceRecord } from '../../hosting/payloads/record.ts';
import { type LoadBalancer, readWebgate, type Webgate } from '../../hosting/payloads/webgate.ts';
import type { Fact } from '../define/outcome.ts';
import type { Read } from '../define/read.ts';
import type { TargetState } from '../define/target-state.ts';
import { formatOtherFacts } from '../format/record-columns.ts';
import { createTargetState, readTargetStateIfPermitted } from '../format/target-state.ts';
import { formatBackend, isUnlinkedPort } from '../format/webgate-parts.ts';

/**
 * Normalized names of the WebGate item fields that have their own column or fact and are therefore left
 * out of other lists.
 */
export const shownPartFields =
  /^(domain(name)?|fqdn|hostname|host|name|vps(name)?|protocol|proto|(target|internal|external|public|dedicated)?port|backends?|members|pool|targets|servers)$/;

const notListed = 'not in the list';

/** A WebGate item's record, and the facts that a confirmation is bound to. */
interface WebgatePart {
  readonly facts: readonly Fact[];
  readonly record: ServiceRecord;
}

/** Reads the facts about a WebGate item, for the confirmation card. */
export function readWebgatePartState(
  read: Read,
  label: string,
  findPart: (reading: Webgate) => WebgatePart | undefined,
): Promise<TargetState> {
  return readTargetStateIfPermitted(label, async () => {
    const found = findPart(readWebgate(await read(getWebgate, {})));
    if (!found) return createTargetState([{ label, value: notListed }]);
    const others = formatOtherFacts(found.record, shownPartFields).filter(
      (fact) => !isUnlinkedPort(fact) && !found.facts.some(({ label: shown }) => shown === fact.label),
    );
    return createTargetState(found.facts, others);
  });
}

export const balancerLabel = 'Load balancer';

/** The facts of a load balancer that doesn't exist. */
export const noLoadBalancer: readonly Fact[] = [{ label: balancerLabel, value: notListed }];

const domainLabel = 'Domain';
export const pointsToLabel = 'Points to';

/** The facts of a domain that doesn't exist. */
export const noDomain: readonly Fact[] = [{ label: domainLabel, value: notListed }];

/** Reads which VPS a domain points to, for the confirmation card. */
export function readDomainState(read: Read, domain: string): Promise<TargetState> {
  return readWebgatePartState(read, domainLabel, ({ domains: all }) => {
    const found = all.find(({ domainName }) => domainName === domain);
    return (
      found && {
        facts: [{ label: pointsToLabel, value: found.vpsName ?? 'not shown' }],
        record: found.record,
      }
    );
  });
}

/** Returns one fact for each backend of a load balancer. */
export function formatBackends({ backends }: LoadBalancer): readonly Fact[] {
  if (backends.length === 0) return [{ label: 'Backends', value: 'none shown' }];
  return backends.map((backend, index) => ({
    label: `Backend ${index + 1}`,
    value: formatBackend(backend) + (backend.weight === undefined ? '' : `, weight ${backend.weight}`),
  }));
}
