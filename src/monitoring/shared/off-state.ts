const offState =
  /^(stopped|off|offline|shut ?off|shut ?down|halted|inactive|down|power(ed)?[ _-]?off|terminated|deallocated)$/i;

/** Returns whether a state says that a VPS is off, so that it has no figures. */
export function isOffState(state: string | undefined): boolean {
  return state !== undefined && offState.test(state.trim());
}
