import type { FaultFacts, FaultKind } from './facts.ts';

type SlackFault = FaultKind & {
  /** Whether it waits for its next occasion, so that it can be asked for several times. */
  readonly waits: boolean;
  readonly verb: string;
};

/** What can be broken between Slack and the app, in the order of the panel. */
export function slackFaults({ methods, disconnect_reasons: reasons }: FaultFacts): readonly SlackFault[] {
  return [
    {
      name: 'ack_delay',
      title: 'Slow the app’s answers',
      about: 'The app’s acknowledgement is held back. Slack waits 3,000 ms, then the person sees an error.',
      detail: { title: 'Milliseconds', min: 0, max: 60_000, usual: 4000 },
      waits: true,
      verb: 'Slow Down',
    },
    {
      name: 'duplicate',
      title: 'Deliver twice',
      about: 'The next payload reaches the app two times, as after a lost acknowledgement.',
      waits: true,
      verb: 'Deliver Twice',
    },
    {
      name: 'expire_trigger',
      title: 'Expire triggers',
      about: 'The next trigger_id is too old when it arrives, so no modal can be opened with it.',
      waits: true,
      verb: 'Expire',
    },
    {
      name: 'ratelimit',
      title: 'Answer 429',
      about: 'The next call of this method is refused, with Retry-After of one second.',
      detail: { title: 'Method', choices: methods, usual: 'chat.postMessage' },
      waits: true,
      verb: 'Refuse',
    },
    {
      name: 'drop_socket',
      title: 'Drop a connection',
      about: 'The oldest socket breaks without a word, as when a network fails. Bolt opens another.',
      waits: false,
      verb: 'Drop',
    },
    {
      name: 'disconnect',
      title: 'Ask the app to reconnect',
      about: 'The oldest socket is told to go, with a reason, as Slack does every hour or so.',
      detail: { title: 'Reason', choices: reasons, usual: 'refresh_requested' },
      waits: false,
      verb: 'Disconnect',
    },
  ];
}
