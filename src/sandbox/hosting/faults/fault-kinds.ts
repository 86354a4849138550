/** A fault's parameter: a number, as in `slow:5000`, or text with suggestions. */
type FaultParameter =
  | {
      readonly kind: 'number';
      readonly title: string;
      readonly min: number;
      readonly max: number;
      readonly usual: number;
    }
  | {
      readonly kind: 'choice';
      readonly title: string;
      readonly choices: readonly string[];
      readonly usual: string;
    };

interface FaultKind {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly detail?: FaultParameter;
}

const newRootResult = '{"new_root":"9f8e7d6c5b4a3928"}';

/** Password reset results as other services return them. */
const passwordResults = [
  newRootResult,
  '{"status":"done","access":["root","correct horse battery staple"]}',
  '{"p":"tulip-harbor","task_id":4711}',
  '{"console":{"url":"https://panel.example/vnc?ticket=9f8e7d6c5b4a3928"}}',
];

/** HTTP statuses that a response can have. */
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
  {
    name: 'data',
    title: 'Answer with other data',
    about: 'The call takes effect, but its data is this JSON, as from a service with other field names.',
    detail: { kind: 'choice', title: 'Data', choices: passwordResults, usual: newRootResult },
  },
];
