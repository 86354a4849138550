import type { ReactNode } from 'react';
import { Avatar } from '../components/avatar.tsx';
import { MenuButton } from '../components/menu-button.tsx';
import { describeRole, listHumans } from '../state/display-names.ts';
import { useSession } from '../state/session.ts';

/** More people than that are found by name, in the search. */
const maxPeople = 100;

/** Menus for choosing the workspace and the person that the page acts as. */
export function Switchers(): ReactNode {
  const { workspace, me, place, navigate } = useSession();
  const { team, teams } = workspace;
  // Each person has their own direct messages.
  const become = (user: string) => navigate({ user, place: place === me.id ? user : place });
  const people = listHumans(workspace);
  const listed = [me, ...people.filter(({ id }) => id !== me.id)].slice(0, maxPeople);
  const hidden = people.length - listed.length;
  return (
    <div className="switchers">
      <MenuButton
        label="Workspace"
        hasTextLabel
        className="switcher workspace"
        items={teams.map(({ id, name, domain }) => ({
          label: name,
          hint: `${domain}.slack.com`,
          isSelected: id === team.id,
          run: () => navigate({ team: id }),
        }))}
      >
        <span className="visually-hidden">Workspace</span>
        <strong>{team.name}</strong>
      </MenuButton>
      <MenuButton
        label="You are"
        hasTextLabel
        className="switcher person"
        note={hidden > 0 ? `${hidden} more: press Ctrl+K and type a name.` : undefined}
        items={people
          .filter((person) => listed.includes(person))
          .map((person) => ({
            label: person.real_name,
            icon: <Avatar name={person.real_name} />,
            hint: `${describeRole(person)} · ${person.tz}`,
            isSelected: person.id === me.id,
            run: () => become(person.id),
          }))}
      >
        <Avatar name={me.real_name} />
        <span className="visually-hidden">You are</span>
        <span>{me.real_name}</span>
        <small>{describeRole(me)}</small>
      </MenuButton>
    </div>
  );
}
