package dev.millrace.server.envoy;

import dev.millrace.AcquireRequest;
import dev.millrace.LimitSet;
import dev.millrace.NameRules;
import dev.millrace.OnUnavailable;
import dev.millrace.server.envoy.EnvoyMapping.Rule;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Descriptors that share one acquire, so that all of them are charged or none: several resources of
 * one entity.
 *
 * @param members at least one, each of another resource
 */
record ChargeGroup(List<Member> members) {
  /**
   * A descriptor with the bucket and the tokens that its rule gives it.
   *
   * @param index of the descriptor in the request
   * @param tokens by limit
   */
  record Member(int index, Rule rule, String entity, String resource, Map<String, Long> tokens) {
    static Member of(int index, Rule rule, RateLimitDescriptor descriptor, long hits) {
      Map<String, String> values = new HashMap<>();
      descriptor.getEntriesList().forEach(entry -> values.put(entry.getKey(), entry.getValue()));
      Map<String, Long> tokens = new LinkedHashMap<>();
      rule.charges().forEach(charge -> tokens.put(charge.limit(), charge.tokens(hits)));
      return new Member(
          index,
          rule,
          rule.entity().render(values, NameRules::requireEntityId),
          rule.resource().render(values, NameRules::requireResource),
          tokens);
    }
  }

  static List<ChargeGroup> of(List<Member> all) {
    List<ChargeGroup> groups = new ArrayList<>();
    for (Member member : all) {
      groups.stream()
          .filter(group -> group.accepts(member))
          .findFirst()
          .orElseGet(
              () -> {
                groups.add(new ChargeGroup(new ArrayList<>()));
                return groups.get(groups.size() - 1);
              })
          .members
          .add(member);
    }
    return groups;
  }

  private boolean accepts(Member member) {
    Member first = members.get(0);
    return members.size() < AcquireRequest.MAX_RESOURCES
        && member.entity().equals(first.entity())
        && member.rule().namespace().equals(first.rule().namespace())
        && member.rule().onUnavailable() == first.rule().onUnavailable()
        && members.stream().noneMatch(one -> one.resource().equals(member.resource()));
  }

  /** The rule of the first member, whose namespace and policy all members have. */
  Rule rule() {
    return members.get(0).rule();
  }

  /** The acquire. An unavailable table fails it, because the policy is the mapping's. */
  AcquireRequest request() {
    Member first = members.get(0);
    AcquireRequest request =
        AcquireRequest.of(first.entity(), first.resource()).onUnavailable(OnUnavailable.BLOCK);
    LimitSet limits = first.rule().limits();
    if (limits != null) {
      request = request.limits(limits);
    }
    for (var charge : first.tokens().entrySet()) {
      request = request.consume(charge.getKey(), charge.getValue());
    }
    for (Member further : members.subList(1, members.size())) {
      LimitSet own = further.rule().limits();
      request =
          own == null
              ? request.and(further.resource(), further.tokens())
              : request.and(further.resource(), own, further.tokens());
    }
    return request;
  }
}
