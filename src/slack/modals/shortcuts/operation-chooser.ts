import type { types } from '@slack/bolt';
import type { Origin } from '../../../operations/define/access/actor.ts';
import { isVpsControl } from '../../../operations/define/arguments/input.ts';
import type { Operation, OperationGroup } from '../../../operations/define/operation.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { mrkdwn } from '../../blocks/elements/blocks.ts';
import { limits } from '../../blocks/elements/limits.ts';
import { escapeText, plainText } from '../../blocks/elements/text.ts';
import { buildModal, inputBlock } from '../modal.ts';

export const chooserCallbackId = 'operation-chooser';

export const chooserTitle = 'Run a VPS operation';

export const chooserFields = { operation: 'operation', vps: 'vps' } as const;

/** Returns the name of an operation's single-VPS argument, or undefined if the operation has none. */
export function findVpsArgument({ arguments: fields }: Operation): string | undefined {
  return Object.entries(fields).find(([, { control }]) => isVpsControl(control))?.[0];
}

/**
 * Builds the modal for choosing an operation, whose reply goes to `origin`. With `vpsNames`, people can also choose
 * one of the VPS named in a message.
 */
export function buildChooserView(
  groups: readonly OperationGroup[],
  origin: Origin,
  vpsNames?: readonly string[],
): types.ModalView {
  const isAboutMessage = vpsNames !== undefined;
  const offered = groups
    .map(({ heading, operations }) => ({
      heading,
      operations: isAboutMessage ? operations.filter(findVpsArgument) : operations,
    }))
    .filter(({ operations }) => operations.length > 0);
  const groupOptions = offered.map(({ heading, operations }) => ({
    label: plainText(heading, limits.optionChars),
    options: operations.map((operation) => ({
      text: plainText(formatOption(operation), limits.optionChars),
      value: operation.name,
    })),
  }));
  return buildModal({
    title: chooserTitle,
    callbackId: chooserCallbackId,
    submit: 'Next',
    metadata: origin,
    blocks: [
      ...(isAboutMessage ? vpsBlocks(vpsNames) : []),
      select(chooserFields.operation, 'Operation', 'Choose an operation', { option_groups: groupOptions }),
    ],
  });
}

/** Formats an operation as its description and command, because people search for one or the other. */
function formatOption({ name, heading, summary }: Operation): string {
  const text = `${summary} · ${name}`;
  return text.length > limits.optionChars ? `${heading} · ${name}` : text;
}

function vpsBlocks(vpsNames: readonly string[]): types.KnownBlock[] {
  if (vpsNames.length === 0)
    return [mrkdwn(escapeText("This message doesn't name a VPS. You'll be asked for one next."))];
  const options = vpsNames
    .slice(0, limits.options)
    .map((name) => ({ text: plainText(name, limits.optionChars), value: name }));
  const initial_option = options[0];
  return [
    select(chooserFields.vps, 'VPS in this message', 'Choose a VPS', {
      options,
      ...(initial_option && { initial_option }),
    }),
  ];
}

function select(
  blockId: string,
  label: string,
  placeholder: string,
  choices: Pick<types.StaticSelect, 'options' | 'option_groups' | 'initial_option'>,
): types.InputBlock {
  return inputBlock({
    blockId,
    label,
    element: {
      type: 'static_select',
      action_id: actionIds.value,
      placeholder: plainText(placeholder, limits.placeholderChars),
      ...choices,
    },
  });
}
