/**
 * Indexes of a few rows of a table. A plan that reads all of their entries reads no more than it
 * needs.
 */
export const smallIndexes = [
  // The jobs that are being worked on.
  'job_claimed',
];

/** Queries that read all rows of a growing table, and why that is right. */
const acceptedScans: readonly { readonly query: RegExp; readonly reason: string }[] = [
  {
    query: /from "job" where "kind" not in/,
    reason: '/readyz and /metrics count jobs of unknown kinds. A workspace has a few jobs.',
  },
  {
    query: /from "(report|schedule|watch|maintenance)" where .*not exists \(select "job"."id" from "job"/,
    reason:
      'Every five minutes, active reports, schedules, watches and windows without a job get one. Most are active.',
  },
  {
    query: /select "id" from "schedule" where "occurrence" is not null/,
    reason: 'Every five minutes, schedules that are in progress are found. A workspace has a few schedules.',
  },
];

export function isAcceptedScan(statement: string): boolean {
  return acceptedScans.some(({ query }) => query.test(statement));
}
