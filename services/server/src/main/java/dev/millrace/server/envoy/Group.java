package dev.millrace.server.envoy;

import dev.millrace.AcquireRequest;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import java.util.ArrayList;
import java.util.List;

/**
 * Descriptors that are one request to the limiter, so that all of them are charged or none: several
 * resources of one entity.
 */
final class Group {
  private final Rule rule;
  private final String entity;
  private final List<Asked> members = new ArrayList<>();

  private Group(Asked first) {
    this.rule = first.rule();
    this.entity = first.entity();
    members.add(first);
  }

  /** Puts descriptors together, in their order. */
  static List<Group> of(List<Asked> all) {
    List<Group> groups = new ArrayList<>();
    for (Asked asked : all) {
      if (groups.stream().noneMatch(group -> group.join(asked))) {
        groups.add(new Group(asked));
      }
    }
    return groups;
  }

  private boolean join(Asked asked) {
    boolean joins =
        members.size() < AcquireRequest.MAX_RESOURCES
            && asked.entity().equals(entity)
            && asked.rule().namespace().equals(rule.namespace())
            && asked.rule().onUnavailable() == rule.onUnavailable()
            && members.stream().noneMatch(one -> one.resource().equals(asked.resource()));
    if (joins) {
      members.add(asked);
    }
    return joins;
  }

  List<Asked> members() {
    return members;
  }

  String namespace() {
    return rule.namespace();
  }

  String entity() {
    return entity;
  }

  dev.millrace.server.envoy.OnUnavailable policy() {
    return rule.onUnavailable();
  }

  /** What the limiter is asked. An absent table is told, because the policy is the mapping's. */
  AcquireRequest request() {
    Asked first = members.get(0);
    AcquireRequest request =
        AcquireRequest.of(entity, first.resource()).onUnavailable(OnUnavailable.BLOCK);
    LimitSet limits = first.rule().limits();
    if (limits != null) {
      request = request.limits(limits);
    }
    for (var charge : first.tokens().entrySet()) {
      request = request.consume(charge.getKey(), charge.getValue());
    }
    for (Asked further : members.subList(1, members.size())) {
      LimitSet own = further.rule().limits();
      request =
          own == null
              ? request.and(further.resource(), further.tokens())
              : request.and(further.resource(), own, further.tokens());
    }
    return request;
  }
}
