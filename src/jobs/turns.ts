import type { DueJob, KindCapacity } from './due-jobs.ts';

/** Chooses which due jobs to start. */
export interface Turns {
  /**
   * Returns the jobs to start now, in order. In each kind, workspaces take turns, and in each
   * workspace, people take turns: the one who was served longest ago is first. Who begins to wait
   * comes after those who already wait, so that nobody is passed by others again and again.
   */
  choose(due: readonly DueJob[], capacity: KindCapacity): readonly DueJob[];
}

/** Remembers the turns of this process. */
export function createTurns(): Turns {
  /** The number of the last turn of each workspace and each person, by kind. */
  const lastTurns = new Map<string, ReadonlyMap<string, number>>();
  let turn = 0;

  const workspaceOf = ({ teamId }: DueJob) => teamId;
  const personOf = ({ teamId, userId }: DueJob) => `${teamId}/${userId}`;

  return {
    choose(due, { kind, free, perWorkspace }) {
      const before = lastTurns.get(kind);
      // Only people and workspaces that wait are remembered, so that the memory doesn't grow.
      const last = new Map(
        due.flatMap((job) => [workspaceOf(job), personOf(job)]).map((key) => [key, before?.get(key) ?? turn]),
      );
      lastTurns.set(kind, last);
      const running = new Map(due.map((job) => [job.teamId, job.runningInWorkspace]));
      const runningIn = ({ teamId }: DueJob) => running.get(teamId) ?? 0;
      const turnOf = (key: string) => last.get(key) ?? 0;

      /** If both have waited equally long for a turn, the older job comes first. */
      function isBefore(one: DueJob, other: DueJob): boolean {
        const workspaceTurns = turnOf(workspaceOf(one)) - turnOf(workspaceOf(other));
        const personTurns = one.teamId === other.teamId ? turnOf(personOf(one)) - turnOf(personOf(other)) : 0;
        return (workspaceTurns || personTurns) < 0;
      }

      const chosen: DueJob[] = [];
      const waiting = new Set(due);
      while (chosen.length < free) {
        let next: DueJob | undefined;
        for (const job of waiting)
          if (runningIn(job) < perWorkspace && (!next || isBefore(job, next))) next = job;
        if (!next) break;
        waiting.delete(next);
        chosen.push(next);
        running.set(next.teamId, runningIn(next) + 1);
        turn += 1;
        last.set(workspaceOf(next), turn);
        last.set(personOf(next), turn);
      }
      return chosen;
    },
  };
}
