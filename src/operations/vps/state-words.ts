/**
 * Matches words for a transitional state. `running`, `existing` and `missing` are excluded, because
 * they aren't transitional. libvirt calls an idle machine `blocked`.
 */
const transitionalStates =
  /(?<!runn|exist|miss)ing(?![a-z])|pending|queued|progress|busy|(?<!b|un)locked|wait|schedul/i;

/** Matches OpenStack states that are named after the action in progress. */
const actionStates = /^((hard|soft)[_ -]?)?(reboot|rebuild|build|resize)$/i;

/** Matches an action that has ended, such as `error_deleting`. */
const failedStates = /^(error|failed)\b|^(error|failed)_/i;

/** Words for a state in which nothing is in progress. */
const endStates = new Set(
  `run running on online active up started ok okay ready available done complete completed finished success successful
  succeeded normal healthy idle stopped off offline down inactive halted shutoff shutdown poweredon poweroff poweredoff
  poweron paused suspended hibernated crashed dead terminated deleted destroyed deallocated rescue rescued blocked
  unlocked enabled disabled existing missing expired unhealthy broken corrupt invalid created installed resized`.split(
    /\s+/,
  ),
);

/** Matches prefixes that services add: `VM running`, `PowerState/running`, `STATUS_ACTIVE`. */
const prefix = /^(vm|vps|server|instance|power ?state|state|status)[\s_/:.-]+/i;

/** Returns whether a state means that something is still in progress. */
export function isTransitional(state: string): boolean {
  const word = state.trim();
  if (isEndState(word)) return false;
  return (transitionalStates.test(word) || actionStates.test(word)) && !failedStates.test(word);
}

/** Returns whether a state is known to mean that nothing is in progress. */
export function isEndState(state: string): boolean {
  const word = state.trim();
  const bare = word.replace(prefix, '').toLowerCase();
  return failedStates.test(word) || endStates.has(bare.replace(/[^a-z\d]/g, ''));
}

const offState =
  /^(stopped|off|offline|shut ?off|shut ?down|halted|inactive|down|power(ed)?[ _-]?off|terminated|deallocated)$/i;

/** Returns whether a state says that a VPS is off and therefore has no figures. */
export function isOffState(state: string | undefined): boolean {
  return state !== undefined && offState.test(state.trim());
}
