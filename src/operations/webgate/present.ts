import { getWebgate } from '../../hosting/endpoints/webgate.ts';
import type { ServiceRecord } from '../../hosting/readings/records.ts';
import {
  type LoadBalancerReading,
  readWebgate,
  type WebgateReading,
} from '../../hosting/readings/webgate.ts';
import type { Present, Read } from '../operation.ts';
import type { Fact } from '../outcome.ts';
import { presentIfPermitted, presentOf } from '../present.ts';
import { otherFacts } from '../record-columns.ts';
import { describeBackend, isNoPort } from './describe.ts';

/** Bare names of the fields that tell what is shown of a part of the WebGate anyway. */
export const shownOfPart =
  /^(domain(name)?|fqdn|hostname|host|name|vps(name)?|protocol|proto|(target|internal|external|public|dedicated)?port|backends?|members|pool|targets|servers)$/;

/** A part of the WebGate, as far as a confirmation is bound to it, and its record. */
interface Part {
  readonly facts: readonly Fact[];
  readonly record: ServiceRecord;
}

/** Reads what a confirmation shows of a part of the WebGate: what leads where. */
export function presentPart(
  read: Read,
  label: string,
  partIn: (reading: WebgateReading) => Part | undefined,
): Promise<Present> {
  return presentIfPermitted(label, async () => {
    const found = partIn(readWebgate(await read(getWebgate, {})));
    if (!found) return presentOf([{ label, value: 'not in the list' }]);
    return presentOf(
      found.facts,
      otherFacts(found.record, shownOfPart).filter((fact) => !isNoPort(fact)),
    );
  });
}

/** Describes where a load balancer leads, a backend each. */
export function backendFacts({ backends }: LoadBalancerReading): readonly Fact[] {
  if (backends.length === 0) return [{ label: 'Backends', value: 'none shown' }];
  return backends.map((backend, index) => ({
    label: `Backend ${index + 1}`,
    value: describeBackend(backend) + (backend.weight === undefined ? '' : `, weight ${backend.weight}`),
  }));
}
