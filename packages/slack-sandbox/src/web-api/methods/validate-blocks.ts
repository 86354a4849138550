import { z } from 'zod';
import { isObject } from '../../json.ts';
import { parseMessageContent } from '../../posting/message-content.ts';
import { parseView } from '../../posting/parse-view.ts';
import { jsonArgument } from '../arguments.ts';
import { defineMethod } from '../method.ts';
import { SlackError } from '../slack-error.ts';

const json = jsonArgument(z.unknown()).optional();

export const blocksValidate = defineMethod({
  name: 'blocks.validate',
  tier: 4,
  args: () => z.object({ blocks: json, message: json, view: json }),
  run({ blocks, message, view }, core, workspace) {
    if ([blocks, message, view].every((given) => given === undefined)) {
      throw new SlackError('missing_argument');
    }
    if (message !== undefined && !isObject(message)) throw new SlackError('invalid_message');
    if (blocks !== undefined) parseMessageContent({ blocks }, workspace, core);
    if (isObject(message)) parseMessageContent(message, workspace, core);
    if (view !== undefined) {
      if (!isObject(view)) throw new SlackError('invalid_view');
      parseView(view, view.type === 'home' ? 'home' : 'modal', workspace);
    }
    return {};
  },
});
