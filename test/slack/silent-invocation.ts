import type { Invocation } from '../../src/slack/invocation.ts';

async function nothing(): Promise<void> {}

/** A click of Alice whose replies go nowhere. */
export const silentInvocation: Invocation = {
  actor: { teamId: 'T0ACME', userId: 'U0ALICE' },
  origin: { channel: 'C0OPS' },
  requestKey: 'key',
  isClick: true,
  reply: {
    sendToActor: nothing,
    sendToChannel: nothing,
    post: nothing,
    postStatus: async () => ({ edit: nothing, remove: nothing }),
    showWorking: async () => nothing,
    replace: nothing,
    remove: nothing,
  },
};
