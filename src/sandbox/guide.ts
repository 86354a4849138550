import type { GuideStep, ReadNext } from 'slack-sandbox';
import type { ServiceEvent } from './hosting/service-events.ts';

/** A step of the guide, with the event that completes it at the hosting service. */
export interface TrackedGuideStep extends GuideStep {
  isCompletedBy(happening: ServiceEvent): boolean;
}

/** Returns whether an event is a successful call of this method and path. */
function isSuccessfulCall(happening: ServiceEvent, method: string, path: RegExp): boolean {
  if (happening.kind !== 'call') return false;
  const { call } = happening;
  return call.method === method && path.test(call.path) && call.status >= 200 && call.status < 300;
}

/** Returns the steps of the guide in order. Operations can contribute steps. */
export function createGuideSteps(hostingUrl: string): readonly TrackedGuideStep[] {
  return [
    {
      id: 'reboot',
      title: 'Reboot a server',
      text: 'Send the command, then press Reboot on the confirmation. The message shows the progress until the reboot is done.',
      try: { kind: 'command', text: '/vps reboot VPS-10001' },
      isCompletedBy: (happening) => {
        const isAction = isSuccessfulCall(happening, 'POST', /^\/v1\/vps\/[^/]+\/action$/);
        return (
          isAction && happening.kind === 'call' && JSON.stringify(happening.call.body).includes('"reboot"')
        );
      },
    },
    {
      id: 'load-balancer',
      title: 'Open a load balancer',
      text: 'Send the command and fill in the form: a domain such as app.example.com, a server to search for, its port.',
      try: { kind: 'command', text: '/vps lb create' },
      isCompletedBy: (happening) =>
        isSuccessfulCall(happening, 'POST', /^\/v1\/services\/webgate\/load-balancers$/),
    },
    {
      id: 'look',
      title: 'See the call that arrived',
      text: 'Open the hosting service’s page. Your clicks arrived there as calls: open a POST to see its request and response.',
      try: { kind: 'link', url: hostingUrl },
      isCompletedBy: (happening) => happening.kind === 'opened' && happening.call.method !== 'GET',
    },
  ];
}

/** Returns the closing text of the guide. */
export function createReadNext(hostingUrl: string): ReadNext {
  return {
    text: 'Next, read “Install it” in README.md. To connect your own app to this sandbox, see packages/slack-sandbox/README.md. /vps help lists every command.',
    links: [
      { title: 'The hosting service’s API, as an OpenAPI document', url: `${hostingUrl}/openapi.json` },
    ],
  };
}
