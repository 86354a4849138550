import { isRecord, normalizeFieldName, type ServiceRecord, words } from './record.ts';
import type { FoundText } from './vps-name.ts';

/** Normalized names of fields that contain a state. Those for the power state are last. */
const stateFields = words(
  'state status vmstate vmstatus vmstat vestatus vpsstatus runstate serverstate realstatus powerstate powerstatus',
);
/** Normalized names of objects that contain the state of a VPS. */
const stateGroups = words(
  'power runtime instance vps vm guest virtualmachine properties remotestate liveinfo serverliveinfo',
);
/** Normalized names of the word in an object that is a state: `state: { code: 16, name: 'off' }`. */
const stateWords = words('state status name label value text');

/** Matches words about an account or a reply rather than the power state. */
const generalState = /^(active|ok|enabled|ready|available|provisioned|deployed|success(ful)?|true|\d+)$/i;

/** Returns whether a field contains a state. `group` is the object that contains the field, if any. */
export function isStateField(field: string, group?: string): boolean {
  const name = normalizeFieldName(field);
  if (stateFields.includes(name)) return true;
  if (group === undefined) return name === 'power';
  return stateFields.includes(normalizeFieldName(group)) && stateWords.includes(name);
}

/** Returns whether an object with this name can contain the state of a VPS. */
export function isStateGroup(field: string): boolean {
  const name = normalizeFieldName(field);
  return stateGroups.includes(name) || stateFields.includes(name);
}

/**
 * Sorts states, the best first. A word for the power state is preferred to a general word, such as
 * `active` beside `power_status: stopped`. A word that is only about the reply is left out.
 */
export function sortStates<State extends FoundText>(states: readonly State[]): readonly State[] {
  const rankOf = ({ path, value }: State) => {
    const index = stateFields.indexOf(normalizeFieldName(path.at(-1) ?? ''));
    return (generalState.test(value) ? 100 : 0) + (index === -1 ? stateFields.length : index);
  };
  return states.filter(({ value }) => !/^success$/i.test(value)).toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Finds the state of a record in the service's own words. */
export function findState(record: ServiceRecord): string | undefined {
  return listStates(record, false)[0]?.value;
}

/** Finds the state of a VPS, which can be in an object such as `power` or `runtime`. */
export function findVpsState(record: ServiceRecord): string | undefined {
  return listStates(record, true)[0]?.value;
}

/** Lists the states in a record, the best one first. A VPS can have them in objects such as `power`. */
export function listStates(record: ServiceRecord, isVps: boolean): readonly FoundText[] {
  const states = collectStates(record, [], isVps);
  return isVps || states.length > 1 ? sortStates(states) : states;
}

const maxDepth = 3;

function collectStates(record: ServiceRecord, path: readonly string[], isVps: boolean): readonly FoundText[] {
  return Object.entries(record).flatMap(([field, value]): readonly FoundText[] => {
    const inner = [...path, field];
    if (isRecord(value)) {
      const isGroup = isVps ? isStateGroup(field) : stateFields.includes(normalizeFieldName(field));
      return path.length < maxDepth && isGroup ? collectStates(value, inner, isVps) : [];
    }
    const word = typeof value === 'string' ? removeMarkup(value) : '';
    return word !== '' && isStateField(field, path.at(-1)) ? [{ path: inner, value: word }] : [];
  });
}

/** Returns the word inside the HTML that some panels send: `<span class="label">Running</span>`. */
export function removeMarkup(text: string): string {
  const isMarkup = text.length <= 500 && /^\s*<[a-z][^<>]*>.*<\/[a-z]+>/is.test(text);
  return isMarkup ? text.replace(/<[^<>]*>/g, '').trim() : text;
}
