import type { ReactNode } from 'react';
import { Avatar } from './avatar.tsx';
import { MenuButton } from './menu.tsx';
import { humansOf, roleOf } from './names.ts';
import { useSession } from './session.ts';

/** Menus of the workspaces, and of the people whom the page can be used as. */
export function Switchers(): ReactNode {
  const { workspace, me, place, go } = useSession();
  const { team, teams } = workspace;
  // Direct messages are everybody's own.
  const become = (user: string) => go({ user, place: place === me.id ? user : place });
  return (
    <div className="switchers">
      <MenuButton
        label="Workspace"
        hasWords
        className="switcher workspace"
        items={teams.map(({ id, name, domain }) => ({
          label: name,
          hint: `${domain}.slack.com`,
          isChosen: id === team.id,
          run: () => go({ team: id }),
        }))}
      >
        <span className="visually-hidden">Workspace</span>
        <strong>{team.name}</strong>
      </MenuButton>
      <MenuButton
        label="You are"
        hasWords
        className="switcher person"
        items={humansOf(workspace).map((person) => ({
          label: person.real_name,
          icon: <Avatar name={person.real_name} />,
          hint: `${roleOf(person)} · ${person.tz}`,
          isChosen: person.id === me.id,
          run: () => become(person.id),
        }))}
      >
        <Avatar name={me.real_name} />
        <span className="visually-hidden">You are</span>
        <span>{me.real_name}</span>
        <small>{roleOf(me)}</small>
      </MenuButton>
    </div>
  );
}
