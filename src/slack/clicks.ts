import type { App, BlockAction, ButtonAction, ExternalSelectAction, OverflowAction } from '@slack/bolt';
import type { Answering } from './answering.ts';
import type { Asking } from './asking.ts';
import { askingOfClick, clickKey } from './asking-of-click.ts';
import type { SlackClients } from './clients.ts';

type Click = BlockAction<ButtonAction | ExternalSelectAction | OverflowAction>;

interface ClickParts {
  readonly clients: SlackClients;
  readonly answering: Answering;
}

/** Where in a message or a view it was clicked. */
export interface ClickedAt {
  readonly blockId: string;
  /** Absent in a message. */
  readonly view: Click['view'];
}

/** Says what the press of a button, or a choice in a menu, leads to; `work` is given its value. */
export type OnClick = (
  where: string | RegExp | { readonly action_id: string; readonly block_id: RegExp },
  work: (value: string, asking: Asking, at: ClickedAt) => Promise<void>,
) => void;

/** Creates what listens to clicks that are acknowledged at once and answered afterwards. One without a value leads to nothing. */
export function createOnClick(app: App, { clients, answering }: ClickParts): OnClick {
  return (where, work) => {
    const constraints = typeof where === 'string' || where instanceof RegExp ? { action_id: where } : where;
    app.action<Click>(constraints, async ({ ack, body, action, context }) => {
      await ack();
      const { teamId } = context;
      const value = action.type === 'button' ? action.value : action.selected_option?.value;
      if (teamId === undefined || value === undefined) return;
      answering.later(
        clickKey(body),
        () => askingOfClick(body, teamId, clients),
        (asking) => work(value, asking, { blockId: action.block_id, view: body.view }),
      );
    });
  };
}
