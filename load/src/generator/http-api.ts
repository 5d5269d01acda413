import { REFUSED, type Api, type Code } from './api.js';
import { openPost, type Answer, type HttpOptions } from './http/post.js';

/** The SDK API over HTTP. */
export function openHttpApi(options: HttpOptions): Api {
  const post = openPost(options);
  return {
    async initialize(phone, written) {
      const { app, address } = phone;
      const fields = {
        app_key: app.app_key,
        package_name: app.package_name,
        sdk_version: '2.4.0',
        app_version: '1.0.7',
        platform: 'android',
        os_version: phone.androidVersion,
      };
      const answer = await post('/v1/sdk/initialize', address, fields, written);
      return answer.status === 200
        ? { code: 'started', token: answer.body.session_token ?? '' }
        : { code: codeOf(answer), token: '' };
    },
    async request(phone, placement, written) {
      const fields = {
        app_key: phone.app.app_key,
        placement: placement.code,
        format: placement.format,
        session_token: phone.token,
        language: phone.language,
        android_version: phone.androidVersion,
        app_version: '1.0.7',
        sdk_version: '2.4.0',
        screen_width: phone.screen[0],
        screen_height: phone.screen[1],
      };
      const answer = await post('/v1/ads/request', phone.address, fields, written);
      const { request_id: requestId, ad } = answer.body;
      const isFill = answer.status === 200 && ad !== undefined && requestId !== undefined;
      return { code: codeOf(answer), fill: isFill ? { requestId, token: ad.impression_token } : null };
    },
    async event(kind, { phone, requestId, token }, written) {
      const rest = kind === 'reward' ? { completion: true } : {};
      const fields = { request_id: requestId, impression_token: token, ...rest };
      return codeOf(await post(`/v1/events/${kind}`, phone.address, fields, written));
    },
    async fallback(phone, placement, written) {
      const fields = { session_token: phone.token, placement: placement.code, reason: 'no_fill' };
      return codeOf(await post('/v1/events/fallback', phone.address, fields, written));
    },
    close: post.close,
  };
}

function codeOf({ status, retryAfter, body }: Answer): Code {
  if (status === 200)
    return body.status === 'no_fill' ? `no_fill ${body.reason ?? ''}` : (body.status ?? '200');
  if (status === 0) return body.reason ?? 'broken';
  if (status === 500 && retryAfter !== null) return REFUSED;
  return body.status === 'rejected'
    ? (body.reason ?? 'rejected')
    : `${status} ${body.error?.code ?? ''}`.trim();
}
