import { z } from 'zod';
import type { Core } from '../../../core.ts';
import { announceEvent } from '../../../delivery/announce-event.ts';
import type { JsonObject } from '../../../json.ts';
import type { Channel, Pin } from '../../../workspace/channels/channels.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { nonEmptyString } from '../../arguments.ts';
import { assertMember, resolveChannelById, resolveMessage } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { withPermalink } from '../../objects/permalink.ts';
import { SlackError } from '../../slack-error.ts';

/** From docs.slack.dev/reference/methods/pins.add: a channel has at most 100 pins. */
const maxPins = 100;

const args = () => z.object({ channel: nonEmptyString, timestamp: nonEmptyString.optional() });

export const pinsAdd = defineMethod({
  name: 'pins.add',
  tier: 2,
  scopes: ['pins:write'],
  args,
  run({ channel: id, timestamp }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    assertMember(workspace, channel);
    if (timestamp === undefined) throw new SlackError('no_item_specified');
    const { ts } = resolveMessage(workspace, channel, timestamp);
    if (channel.pins.some((pin) => pin.ts === ts)) throw new SlackError('already_pinned');
    if (channel.pins.length >= maxPins) throw new SlackError('too_many_pins');
    const createdSeconds = Math.floor(core.clock.now() / 1000);
    const pin: Pin = { ts, createdSeconds, createdBy: workspace.caller.userId };
    channel.pins.unshift(pin);
    workspace.messages.decorate(id, ts, { pinned_to: [id] });
    sendPinEvent(core, workspace, channel, pin, 'pin_added');
    return {};
  },
});

export const pinsRemove = defineMethod({
  name: 'pins.remove',
  tier: 2,
  scopes: ['pins:write'],
  args,
  run({ channel: id, timestamp }, core, workspace) {
    const channel = resolvePinChannel(workspace, id);
    if (timestamp === undefined) throw new SlackError('no_item_specified');
    const { ts } = resolveMessage(workspace, channel, timestamp);
    const index = channel.pins.findIndex((pin) => pin.ts === ts);
    const [pin] = index < 0 ? [] : channel.pins.splice(index, 1);
    if (!pin) throw new SlackError('no_pin');
    workspace.messages.decorate(id, ts, { pinned_to: [] });
    sendPinEvent(core, workspace, channel, pin, 'pin_removed');
    return {};
  },
});

export const pinsList = defineMethod({
  name: 'pins.list',
  tier: 2,
  scopes: ['pins:read'],
  acceptsJson: false,
  args: () => z.object({ channel: nonEmptyString }),
  run({ channel: id }, _core, workspace) {
    const channel = resolvePinChannel(workspace, id);
    return { items: channel.pins.map((pin) => toPinObject(workspace, channel, pin)) };
  },
});

/** Returns a channel whose pins the app can see: it is a member. */
function resolvePinChannel(workspace: Workspace, id: string): Channel {
  const channel = resolveChannelById(workspace, id);
  if (!channel.members.has(workspace.caller.userId)) throw new SlackError('restricted_action');
  return channel;
}

function toPinObject(workspace: Workspace, { id }: Channel, pin: Pin): JsonObject {
  const message = workspace.messages.find(id, pin.ts);
  return {
    type: 'message',
    channel: id,
    created: pin.createdSeconds,
    created_by: pin.createdBy,
    message: message && withPermalink(workspace, id, message),
  };
}

function sendPinEvent(
  core: Core,
  workspace: Workspace,
  channel: Channel,
  pin: Pin,
  type: 'pin_added' | 'pin_removed',
): void {
  announceEvent(core, workspace, {
    event: {
      type,
      user: workspace.caller.userId,
      channel_id: channel.id,
      item: toPinObject(workspace, channel, pin),
      item_user: workspace.messages.find(channel.id, pin.ts)?.user,
      pin_count: channel.pins.length,
      ...(type === 'pin_removed' && { has_pins: channel.pins.length > 0 }),
      event_ts: core.ids.ts(),
    },
    channel,
  });
}
