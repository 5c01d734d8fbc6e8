package dev.millrace.deploy.stack;

import java.util.Optional;

/** Deletes a stack. Table and buckets outlive it: the template says so. */
public final class Removal {
  private final StackService stacks;
  private final StackWatch watch;

  /** Through {@code stacks}, followed by {@code watch}. */
  public Removal(StackService stacks, StackWatch watch) {
    this.stacks = stacks;
    this.watch = watch;
  }

  /**
   * Deletes the stack of that name.
   *
   * @param wait whether to follow it to its end
   * @return the stack as it was; empty when there is none
   * @throws StackFailure when it does not go
   */
  public Optional<StackView> delete(String name, boolean wait) {
    Optional<StackView> found = stacks.find(name).filter(stack -> !stack.isDeleted());
    found.ifPresent(
        stack -> {
          String lastSeen = watch.lastEvent(stack.id());
          stacks.delete(stack.name());
          if (wait) {
            watch.untilDeleted(stack.id(), lastSeen);
          }
        });
    return found;
  }
}
