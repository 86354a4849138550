/** The number that some kinds of faults need, as in `slow:5000`. */
interface FaultParameter {
  readonly kind: 'number';
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly usual: number;
}

interface FaultKind {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly detail?: FaultParameter;
}

/** Which HTTP statuses a response can have. */
export const statusRange = { min: 200, max: 599 } as const;

/** All kinds of faults. Pages offer them for selection. */
export const faultKinds: readonly FaultKind[] = [
  {
    name: 'status',
    title: 'Answer with a status',
    about: 'The call gets this HTTP status and an error body, and has no effect.',
    detail: { kind: 'number', title: 'Status', ...statusRange, usual: 503 },
  },
  {
    name: 'slow',
    title: 'Answer late',
    about: 'The call takes effect, but its response is delayed.',
    detail: { kind: 'number', title: 'Milliseconds', min: 0, max: 600_000, usual: 5000 },
  },
  { name: 'timeout', title: 'Never answer', about: 'The connection stays open without a response.' },
  {
    name: 'reset',
    title: 'Break the connection',
    about: 'The connection is reset, like a network failure.',
  },
  {
    name: 'malformed',
    title: 'Cut the response in half',
    about: 'The call takes effect, but its JSON is incomplete.',
  },
  {
    name: 'html',
    title: 'Answer with a web page',
    about: 'With status 200, like a proxy in maintenance.',
  },
];
