import { getVps } from '../../hosting/endpoints/vps.ts';
import { findText } from '../../hosting/payloads/record.ts';
import { readVps, type Vps } from '../../hosting/payloads/vps.ts';
import type { Fact } from '../define/outcome.ts';
import type { Read } from '../define/read.ts';
import type { TargetState } from '../define/target-state.ts';
import { createTargetState, readTargetStateIfPermitted } from '../format/target-state.ts';
import { isOffState } from './state-words.ts';

const stateLabel = 'State';
export const hostnameLabel = 'Hostname';
export const nameLabel = 'Name';

/** Normalized names of the fields that can contain the operating system of a VPS. */
const systemFields = ['os', 'operatingsystem', 'osname', 'image', 'template', 'distribution'];

/** Returns whether these facts say that the VPS is off. */
export function isOff(facts: readonly Fact[]): boolean {
  return facts.some(
    ({ label, value }) =>
      label === stateLabel && typeof value === 'object' && value.kind === 'state' && isOffState(value.state),
  );
}

/** Reads the name and state of a VPS for the confirmation card. */
export function readVpsState(read: Read, name: string): Promise<TargetState> {
  return readTargetStateIfPermitted('State', async () =>
    createTargetState(identityFacts(await fetchVps(read, name))),
  );
}

/** Reads the name, state and OS of a VPS, for the confirmation of a change that can lose data. */
export function readVpsStateAndContent(read: Read, name: string): Promise<TargetState> {
  return readTargetStateIfPermitted('State', async () => {
    const vps = await fetchVps(read, name);
    const system = findText(vps.record, systemFields);
    return createTargetState([
      ...identityFacts(vps),
      ...(system === undefined ? [] : [{ label: 'Current OS', value: system }]),
    ]);
  });
}

async function fetchVps(read: Read, name: string): Promise<Vps> {
  return readVps(await read(getVps, { params: { vps_name: name } }), name);
}

/**
 * Returns the state and names of a VPS as facts to bind the confirmation to, because another host with the
 * same VPS name is a different target.
 */
function identityFacts({ state = 'not shown', aliases, record }: Vps): readonly Fact[] {
  const hostname = findText(record, ['hostname', 'fqdn']);
  const [name] = aliases.full.filter((alias) => alias !== hostname);
  return [
    { label: stateLabel, value: { kind: 'state', state } },
    ...(hostname === undefined ? [] : [{ label: hostnameLabel, value: hostname }]),
    ...(name === undefined ? [] : [{ label: nameLabel, value: name }]),
  ];
}
