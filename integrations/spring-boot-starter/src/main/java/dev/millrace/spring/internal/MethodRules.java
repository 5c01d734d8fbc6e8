package dev.millrace.spring.internal;

import dev.millrace.spring.RateLimited;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The rules of all annotated methods, and the pointcut of those methods. Each rule is parsed when
 * its bean is created.
 */
final class MethodRules extends StaticMethodMatcherPointcut {
  /** Most cached rules; further ones are parsed with each call. */
  static final int MAX_METHODS = 10_000;

  private final Map<MethodClassKey, MethodRule> known = new ConcurrentHashMap<>();
  private final Supplier<ChargeRegistry> registry;

  MethodRules(Supplier<ChargeRegistry> registry) {
    this.registry = registry;
  }

  @Override
  public boolean matches(Method method, Class<?> target) {
    return find(method, target) != null;
  }

  /** The rule of {@code method} on {@code target}, null when it has none. */
  @Nullable MethodRule find(Method method, @Nullable Class<?> target) {
    MethodClassKey key = new MethodClassKey(method, target);
    MethodRule rule = known.get(key);
    if (rule != null) {
      return rule;
    }
    Method specific = AopUtils.getMostSpecificMethod(method, target);
    RateLimited annotation = annotation(specific, target);
    if (annotation == null || specific.isSynthetic()) {
      return null;
    }
    String type = specific.getDeclaringClass().getSimpleName();
    String where = "@RateLimited " + type + "." + specific.getName() + "()";
    rule = MethodRule.of(where, specific, annotation);
    if (known.size() < MAX_METHODS) {
      known.put(key, rule);
      registry.get().add(where, rule.charge());
    }
    return rule;
  }

  private static @Nullable RateLimited annotation(Method method, @Nullable Class<?> target) {
    RateLimited own = AnnotatedElementUtils.findMergedAnnotation(method, RateLimited.class);
    if (own != null || method.getDeclaringClass() == Object.class) {
      return own;
    }
    return target != null && Modifier.isPublic(method.getModifiers())
        ? AnnotatedElementUtils.findMergedAnnotation(target, RateLimited.class)
        : null;
  }
}
