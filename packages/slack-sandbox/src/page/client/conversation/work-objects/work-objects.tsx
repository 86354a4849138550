import { type ReactNode, useState } from 'react';
import type { ActionResult, MessageData, WorkObject } from '../../state/control-api.ts';
import { errorMessage, explainSlackError } from '../../state/error-message.ts';
import { useSession } from '../../state/session.ts';
import { describeObject } from './describe-object.ts';
import { ObjectButtons } from './object-buttons.tsx';
import { WorkObjectDetails } from './work-object-details.tsx';

interface Props {
  readonly message: MessageData;
  readonly channel: string;
  readonly objects: readonly WorkObject[];
}

/** Previews of the work objects in a message. Each can be opened. */
export function WorkObjects({ message, channel, objects }: Props): ReactNode {
  const { control, me, workspace, notify } = useSession();
  const [opened, setOpened] = useState<{
    readonly trigger: string;
    readonly id: string;
    readonly title: string;
  }>();

  async function open(entity: string, title: string) {
    try {
      const { trigger_id: trigger, error } = await control.post<ActionResult>('open-entity', {
        user: me.id,
        channel,
        ts: message.ts,
        entity,
      });
      if (error) notify(explainSlackError(error, workspace.app.name));
      else if (trigger) setOpened({ trigger, id: entity, title });
    } catch (error) {
      notify(errorMessage(error));
    }
  }

  return (
    <ul className="work-objects">
      {objects.map((object) => {
        const { id, title, kind, buttons } = describeObject(object);
        return (
          <li key={id} className="work-object">
            <span>
              <strong>{title}</strong>
              <small>{kind}</small>
            </span>
            <button type="button" aria-label={`Open ${title}`} onClick={() => void open(id, title)}>
              Open
            </button>
            <ObjectButtons place={{ channel, message, entity: id }} buttons={buttons} />
          </li>
        );
      })}
      {opened && (
        <WorkObjectDetails
          place={{ channel, message, entity: opened.id }}
          trigger={opened.trigger}
          title={opened.title}
          close={() => setOpened(undefined)}
        />
      )}
    </ul>
  );
}
