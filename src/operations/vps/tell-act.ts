import { stateOf } from '../../hosting/readings/records.ts';
import { type ResultReading, readResultSecrets } from '../../hosting/readings/results.ts';
import { nameSecrets } from '../name-secrets.ts';
import type { Outcome } from '../outcome.ts';
import { tellResult } from '../tell-result.ts';

/** What the title says already. */
const said = ['vps_name', 'action', 'os', 'state', 'status'];

/** Tells what an act on a VPS answered: its state, the rest, and apart from them the secrets. */
export function tellAct(data: unknown): Required<Pick<Outcome, 'facts' | 'secrets'>> {
  return tellReading(readResultSecrets(data));
}

/** Tells the answer to an act whose secrets have been found. */
export function tellReading({ shown, secrets }: ResultReading): ReturnType<typeof tellAct> {
  const state = stateOf(shown);
  const known = state === undefined ? [] : [{ label: 'State', value: { state } }];
  return { facts: tellResult(shown, { known, without: said }).facts, secrets: nameSecrets(secrets) };
}
