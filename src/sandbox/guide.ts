import type { Happening } from './hosting/happenings.ts';
import type { GuideStep, ReadNext } from './slack/guide.ts';

/** A step of the guide, and what must really happen at the hosting service for it to be done. */
export interface Lesson extends GuideStep {
  isDone(happening: Happening): boolean;
}

/** Tells whether a call of this method and path was answered well. */
function succeeded(happening: Happening, method: string, path: RegExp): boolean {
  if (happening.kind !== 'call') return false;
  const { call } = happening;
  return call.method === method && path.test(call.path) && call.status >= 200 && call.status < 300;
}

/** Lists what a newcomer is led through, in this order. An operation that is worth a step adds one. */
export function createLessons(hostingUrl: string): readonly Lesson[] {
  return [
    {
      id: 'reboot',
      title: 'Reboot a server',
      text: 'Send the command, then press Reboot on the card that asks. The message follows the reboot to its end.',
      try: { words: '/vps reboot VPS-10001' },
      isDone: (happening) => {
        const isAction = succeeded(happening, 'POST', /^\/v1\/vps\/[^/]+\/action$/);
        return (
          isAction && happening.kind === 'call' && JSON.stringify(happening.call.body).includes('"reboot"')
        );
      },
    },
    {
      id: 'load-balancer',
      title: 'Open a load balancer',
      text: 'Send the command and fill in the form: a domain such as app.example.com, a server to search for, its port.',
      try: { words: '/vps lb create' },
      isDone: (happening) => succeeded(happening, 'POST', /^\/v1\/services\/webgate\/load-balancers$/),
    },
    {
      id: 'look',
      title: 'Look at the call that arrived',
      text: 'Open the hosting service’s own page. Your clicks arrived there as calls: open a POST to see what was sent and answered.',
      try: { link: hostingUrl },
      isDone: (happening) => happening.kind === 'looked' && happening.call.method !== 'GET',
    },
  ];
}

/** Tells what is named at the end. */
export function createReadNext(hostingUrl: string): ReadNext {
  return {
    text: 'Read next: “Install it in your workspace” in README.md, and src/sandbox/slack/README.md to point an app of your own at this sandbox. /vps help lists what else you may run.',
    links: [
      { title: 'The hosting service’s API, as an OpenAPI document', url: `${hostingUrl}/openapi.json` },
    ],
  };
}
