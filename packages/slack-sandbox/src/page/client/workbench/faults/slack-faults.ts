import type { FaultData, FaultKind } from './fault-data.ts';

type SlackFault = FaultKind & {
  /** Whether the fault waits for a matching event. Such a fault can be requested for several events. */
  readonly waits: boolean;
  readonly verb: string;
};

/** Lists the faults between Slack and the app, in the panel's order. */
export function listSlackFaults({
  methods,
  block_types: blockTypes,
  disconnect_reasons: reasons,
}: FaultData): readonly SlackFault[] {
  return [
    {
      name: 'ack_delay',
      title: 'Delay the app’s responses',
      about: 'Delays the app’s next acknowledgement. After 3,000 ms, Slack shows the person an error.',
      detail: { kind: 'number', title: 'Milliseconds', min: 0, max: 60_000, usual: 4000 },
      waits: true,
      verb: 'Delay',
    },
    {
      name: 'duplicate',
      title: 'Deliver twice',
      about: 'The app gets the next payload twice, as after a lost acknowledgement.',
      waits: true,
      verb: 'Deliver Twice',
    },
    {
      name: 'expire_trigger',
      title: 'Expire triggers',
      about: 'The next trigger_id has already expired when it arrives, so it cannot open a modal.',
      waits: true,
      verb: 'Expire',
    },
    {
      name: 'ratelimit',
      title: 'Answer 429',
      about: 'The next call of this method is rejected, with a Retry-After of one second.',
      detail: { kind: 'choice', title: 'Method', choices: methods, usual: 'chat.postMessage' },
      waits: true,
      verb: 'Reject',
    },
    {
      name: 'refuse_block',
      title: 'Refuse a block',
      about: 'The next message with this block is rejected, as in a workspace that doesn’t have it yet.',
      detail: { kind: 'choice', title: 'Block', choices: blockTypes, usual: 'data_table' },
      waits: true,
      verb: 'Refuse',
    },
    {
      name: 'drop_socket',
      title: 'Drop a connection',
      about: 'Breaks the oldest socket without notice, like a network failure. Bolt opens another.',
      waits: false,
      verb: 'Drop',
    },
    {
      name: 'disconnect',
      title: 'Ask the app to reconnect',
      about: 'Sends the oldest socket a disconnect with a reason, as Slack does about every hour.',
      detail: { kind: 'choice', title: 'Reason', choices: reasons, usual: 'refresh_requested' },
      waits: false,
      verb: 'Disconnect',
    },
  ];
}
