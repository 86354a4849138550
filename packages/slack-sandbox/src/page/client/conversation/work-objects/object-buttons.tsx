import type { ReactNode } from 'react';
import type { ActionResult, MessageData } from '../../state/control-api.ts';
import { errorMessage, explainSlackError } from '../../state/error-message.ts';
import { useSession } from '../../state/session.ts';
import type { ObjectButton } from './describe-object.ts';

/** The place of a work object: its message, and its ID at the other service. */
export interface ObjectPlace {
  readonly channel: string;
  readonly message: MessageData;
  readonly entity: string;
}

interface Props {
  readonly place: ObjectPlace;
  readonly buttons: readonly ObjectButton[];
  /** Called with the trigger with which the app can present new details. */
  clicked?(trigger: string): void;
}

/** The buttons of a work object. */
export function ObjectButtons({ place, buttons, clicked }: Props): ReactNode {
  const { control, me, workspace, notify } = useSession();
  const { channel, message, entity } = place;

  async function click({ action_id, value, url }: ObjectButton) {
    if (url !== undefined) window.open(url, '_blank', 'noopener');
    try {
      const { trigger_id: trigger, error } = await control.post<ActionResult>('click-entity', {
        ...{ user: me.id, channel, ts: message.ts, entity, action_id },
        ...(value !== undefined && { value }),
      });
      if (error) notify(explainSlackError(error, workspace.app.name));
      else if (trigger) clicked?.(trigger);
    } catch (error) {
      notify(errorMessage(error));
    }
  }

  if (buttons.length === 0) return null;
  return (
    <div className="work-object-buttons">
      {buttons.map((button) => (
        <button
          key={`${button.action_id} ${button.value ?? ''}`}
          type="button"
          className={`kit-button ${styleClasses[button.style ?? ''] ?? ''}`}
          aria-label={button.accessibility_label}
          onClick={() => void click(button)}
        >
          {button.text}
        </button>
      ))}
    </div>
  );
}

const styleClasses: Readonly<Record<string, string>> = { primary: 'kit-primary', danger: 'kit-danger' };
