import type { Catalogue } from '../../operations/catalogue.ts';
import { inputOf, vpsNamesOf } from '../../operations/input.ts';
import { rightOf } from '../../operations/operation.ts';
import type { Reach } from '../../operations/runs/access.ts';
import type { Asker } from '../../operations/runs/run.ts';
import type { RecordedRun } from './recorded-run.ts';

/** Tells whether a run is one that somebody may look at. */
export type Sight = (run: RecordedRun) => boolean;

/**
 * Creates what tells which runs a person may look at: all of them whoever administers; others their own, and those on VPS that they may look at, except
 * what takes administering.
 */
export function createSight({ userId }: Asker, reach: Reach, catalogue: Catalogue): Sight {
  const seesAll = reach({ right: 'administer', vps: [] }) === undefined;
  const decided = new Map<string, boolean>();

  function mayLook(vps: readonly string[]): boolean {
    const key = vps.join();
    const known = decided.get(key) ?? reach({ right: 'look', vps }) === undefined;
    decided.set(key, known);
    return known;
  }

  return (run) => {
    if (seesAll || run.asker.userId === userId) return true;
    const operation = catalogue.find(run.operation);
    if (!operation) return false;
    const input = inputOf(operation, run.input);
    if (rightOf(operation, input) === 'administer') return false;
    return mayLook(vpsNamesOf(operation.arguments, input));
  };
}

/** Creates what tells whether a run is about a VPS: its target, or one that it names. */
export function concerns(vps: string, catalogue: Catalogue): Sight {
  return (run) => {
    if (run.target === vps) return true;
    const operation = catalogue.find(run.operation);
    return (
      operation !== undefined && vpsNamesOf(operation.arguments, inputOf(operation, run.input)).includes(vps)
    );
  };
}
