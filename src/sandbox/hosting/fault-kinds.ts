/** What a kind of fault takes after its colon: a whole number. */
interface FaultDetail {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly usual: number;
}

interface FaultKind {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly detail?: FaultDetail;
}

/** Statuses that a call can be answered with. */
export const statuses = { min: 200, max: 599 } as const;

/** Every kind of fault, for whoever lets a person choose. */
export const faultKinds: readonly FaultKind[] = [
  {
    name: 'status',
    title: 'Answer with a status',
    about: 'The call is answered with this HTTP status and an error body, and does nothing.',
    detail: { title: 'Status', ...statuses, usual: 503 },
  },
  {
    name: 'slow',
    title: 'Answer late',
    about: 'The call takes effect, and its answer waits.',
    detail: { title: 'Milliseconds', min: 0, max: 600_000, usual: 5000 },
  },
  { name: 'timeout', title: 'Never answer', about: 'The connection stays open without a word.' },
  {
    name: 'reset',
    title: 'Break the connection',
    about: 'The connection is reset, as by a failing network.',
  },
  {
    name: 'malformed',
    title: 'Cut the answer in half',
    about: 'The call takes effect, and its JSON ends midway.',
  },
  {
    name: 'html',
    title: 'Answer with a web page',
    about: 'As a proxy in maintenance does, with status 200.',
  },
];
