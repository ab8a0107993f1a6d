// A real OpenID Connect provider (oidc-provider, certified) for the tests of single
// sign-on. Its people are the first argument, as JSON: what they type as login, and
// the claims about them. The second is where people are sent back to. It prints its
// address, and ends with its standard input.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [people, redirect] = [JSON.parse(process.argv[2]), process.argv[3]];
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "storeglass", client_secret: "a secret of the client, for tests", redirect_uris: [redirect] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    pkce: { required: () => true },
    cookies: { keys: ["of a test"] },
    features: { devInteractions: { enabled: true } },
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
process.stdin.resume().on("end", () => process.exit(0));
