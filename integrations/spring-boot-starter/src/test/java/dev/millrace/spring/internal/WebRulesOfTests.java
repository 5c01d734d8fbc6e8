package dev.millrace.spring.internal;

/** The rules that both kinds of application are tested with. */
final class WebRulesOfTests {
  /** When a day begins: what returns within days then returns in round numbers. */
  static final long MIDNIGHT_MS = 19_675 * 86_400_000L;

  static final String[] PROPERTIES = {
    "millrace.store=in-memory",
    "millrace.web.headers=always",
    "millrace.web.rules[0].paths=/api/**",
    "millrace.web.rules[0].entity=#header['X-Key']",
    "millrace.web.rules[0].resource=api",
    "millrace.web.rules[0].limits=requests:5/day,tokens:1000/day",
    "millrace.web.rules[0].consume=requests,tokens=100",
    "millrace.web.rules[0].settle[0]=tokens=#responseHeader['X-Tokens'] ?: 100",
    "millrace.web.rules[1].paths=/teams/{team}/**",
    "millrace.web.rules[1].methods=get",
    "millrace.web.rules[1].entity=#path['team']",
    "millrace.web.rules[1].resource=teams",
    "millrace.web.rules[1].limits=requests:2/day",
    "millrace.web.rules[2].paths=/named/**",
    "millrace.web.rules[2].entity=@tenants.of(#header['Authorization'])",
    "millrace.web.rules[2].anonymous=nobody",
    "millrace.web.rules[2].resource=#header['X-Resource'] ?: 'named'",
    "millrace.web.rules[2].limits=requests:2/day",
    "millrace.web.rules[3].paths=/live/**",
    "millrace.web.rules[3].entity=#header['X-Key']",
    "millrace.web.rules[3].resource=live",
    "millrace.web.rules[3].limits=requests:5/day,tokens:1000/day",
    "millrace.web.rules[3].consume=requests,tokens=100",
    "management.endpoints.web.exposure.include=health,millrace,metrics",
    "management.endpoint.health.show-details=always",
  };

  private WebRulesOfTests() {}
}
