package dev.millrace.spring.method;

import dev.millrace.spring.ChargeRegistry;
import dev.millrace.spring.RateLimited;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The rules of all annotated methods; each is parsed when its bean is created. */
final class MethodRules {
  /** Most cached rules; further ones are parsed with each call. */
  static final int MAX_METHODS = 10_000;

  private final Map<MethodClassKey, MethodRule> known = new ConcurrentHashMap<>();
  private final Supplier<ChargeRegistry> book;

  MethodRules(Supplier<ChargeRegistry> book) {
    this.book = book;
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
    rule = MethodRule.of(specific, annotation);
    if (known.size() < MAX_METHODS) {
      known.put(key, rule);
      book.get().add(MethodRule.where(specific), rule.charge());
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
