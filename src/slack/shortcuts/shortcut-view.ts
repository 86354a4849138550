import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { Group } from '../../operations/catalogue.ts';
import { isVps } from '../../operations/input.ts';
import type { Operation } from '../../operations/operation.ts';
import { mrkdwn } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { escapeText, plain } from '../render/text.ts';

/** Callback id of the view in which a shortcut lets people choose what to run. */
export const chooserCallbackId = 'operation-chooser';

/** Heads that view. */
export const chooserTitle = 'Run a VPS operation';

/** Where the shortcut was used: what is run from there is answered there. */
const chooserMetadata = z.object({
  channel: z.string().optional(),
  threadTs: z.string().optional(),
  responseUrl: z.string().optional(),
});

export type ChooserMetadata = z.infer<typeof chooserMetadata>;

/** Reads where a shortcut was used. */
export function readChooser(text: string): ChooserMetadata {
  return chooserMetadata.parse(JSON.parse(text));
}

/** Ids of the two fields. */
export const chooserFields = { operation: 'operation', vps: 'vps', action: 'value' } as const;

/** Gives the argument of an operation that is one VPS, if it has one. */
export function vpsArgumentOf({ arguments: fields }: Operation): string | undefined {
  return Object.entries(fields).find(([, { control }]) => isVps(control))?.[0];
}

/** Builds the view that lets people choose an operation, and one of the VPS that a message names if it names any. */
export function chooserView(
  groups: readonly Group[],
  metadata: ChooserMetadata,
  named?: readonly string[],
): types.ModalView {
  const isAboutMessage = named !== undefined;
  const offered = groups
    .map(({ heading, operations }) => ({
      heading,
      operations: isAboutMessage ? operations.filter(vpsArgumentOf) : operations,
    }))
    .filter(({ operations }) => operations.length > 0);
  const groupOptions = offered.map(({ heading, operations }) => ({
    label: plain(heading, limits.optionChars),
    options: operations.map((operation) => ({
      text: plain(optionText(operation), limits.optionChars),
      value: operation.name,
    })),
  }));
  return {
    type: 'modal',
    callback_id: chooserCallbackId,
    private_metadata: JSON.stringify(metadata),
    title: plain(chooserTitle, limits.viewTitleChars),
    submit: plain('Next', limits.viewTitleChars),
    close: plain('Cancel', limits.viewTitleChars),
    blocks: [
      ...(isAboutMessage ? vpsBlocks(named) : []),
      select(chooserFields.operation, 'What to do', 'Choose an operation', { option_groups: groupOptions }),
    ],
  };
}

/** Says what an operation does, and by which words it is typed: people look for either. */
function optionText({ name, heading, summary }: Operation): string {
  const text = `${summary} · ${name}`;
  return text.length > limits.optionChars ? `${heading} · ${name}` : text;
}

function vpsBlocks(named: readonly string[]): types.KnownBlock[] {
  if (named.length === 0)
    return [mrkdwn(escapeText('This message names no VPS; the next step asks for one.'))];
  const options = named
    .slice(0, limits.options)
    .map((name) => ({ text: plain(name, limits.optionChars), value: name }));
  const initial_option = options[0];
  return [
    select(chooserFields.vps, 'VPS in this message', 'Choose a VPS', {
      options,
      ...(initial_option && { initial_option }),
    }),
  ];
}

function select(
  block_id: string,
  label: string,
  placeholder: string,
  choices: Pick<types.StaticSelect, 'options' | 'option_groups' | 'initial_option'>,
): types.InputBlock {
  return {
    type: 'input',
    block_id,
    label: plain(label, limits.labelChars),
    element: {
      type: 'static_select',
      action_id: chooserFields.action,
      placeholder: plain(placeholder, limits.placeholderChars),
      ...choices,
    },
  };
}
