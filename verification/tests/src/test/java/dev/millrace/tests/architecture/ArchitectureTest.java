package dev.millrace.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.millrace.tests.docs.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** What depends on what, as facts. */
@AnalyzeClasses(
    packages = "dev.millrace",
    importOptions = {
      ImportOption.DoNotIncludeTests.class,
      ArchitectureTest.DoNotIncludeTestJars.class
    })
class ArchitectureTest {
  /** Leaves out the tests of a module that other modules use; packaged, they are a jar. */
  static final class DoNotIncludeTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  /** What applications use: values, the limiter's interface and its options. */
  private static final String API = "dev.millrace";

  private static final String CORE = "dev.millrace.core..";
  private static final String CLIENT = "dev.millrace.client..";
  private static final String DYNAMODB = "dev.millrace.dynamodb..";
  private static final String ADMIN = "dev.millrace.admin..";
  private static final String AGGREGATOR = "dev.millrace.aggregator..";
  private static final String S3 = "dev.millrace.s3..";
  private static final String WORKER = "dev.millrace.worker..";
  private static final String LAMBDA = "dev.millrace.lambda..";
  private static final String DEPLOY = "dev.millrace.deploy..";
  private static final String SERVER = "dev.millrace.server..";
  private static final String SIMULATOR = "dev.millrace.simulator..";
  private static final String BENCHMARKS = "dev.millrace.benchmarks..";
  private static final String PROVING = "dev.millrace.proving..";
  private static final String REGIONS = "dev.millrace.regions..";
  private static final String REGIONS_INTERNAL = "dev.millrace.regions.internal..";
  private static final String CLI = "dev.millrace.cli..";
  private static final String CLI_SERVICES = "dev.millrace.cli.services..";
  private static final String CLI_DEPLOY = "dev.millrace.cli.deploy..";
  private static final String EMBEDDED = "dev.millrace.embedded..";
  private static final String COMMAND_PARSER = "picocli..";
  private static final String ADAPTERS = "dev.millrace.adapters..";
  private static final String SPRING = "dev.millrace.spring..";
  private static final String MANIFEST = "dev.millrace.manifest..";
  private static final String LLM = "dev.millrace.llm..";
  private static final String LANGCHAIN4J = "dev.millrace.langchain4j..";
  private static final String SPRING_AI = "dev.millrace.springai..";

  private static final String SOURCES = "src/main/java";

  private static final Set<String> CLOCKS_AND_CHANCE =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Math.random",
          "java.util.UUID.randomUUID");

  /** What can be read off a bucket, its limits and its stamp without any arithmetic. */
  private static final Set<String> FACTS_OF_A_BUCKET =
      Set.of(
          "amountMilli",
          "burstMilli",
          "consumedMilli",
          "count",
          "disabled",
          "division",
          "equals",
          "expiresAtSeconds",
          "find",
          "key",
          "level",
          "limit",
          "limits",
          "name",
          "periodMs",
          "refill",
          "refilledAtMs",
          "shard",
          "soft",
          "stamp",
          "tokensMilli",
          "versions",
          "entity",
          "entityResource",
          "entityDefault",
          "resource",
          "system",
          "withShard");

  private static final Set<String> TYPES_THAT_KNOW_THE_TIME =
      Set.of(
          "java.time.Clock",
          "java.time.Instant",
          "java.time.LocalDate",
          "java.time.LocalTime",
          "java.time.LocalDateTime",
          "java.time.ZonedDateTime",
          "java.time.OffsetDateTime");

  /** A module that is not on the class path would keep every rule. */
  @ArchTest
  static void everyModuleIsLookedAt(JavaClasses all) throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path module : modules()) {
      String name = anyClassOf(module);
      if (!all.contain(name)) {
        missing.add(name);
      }
    }
    assertThat(missing).as("classes of modules that no rule sees").isEmpty();
  }

  private static List<Path> modules() throws IOException {
    return Repository.modules().stream()
        .filter(path -> Files.isDirectory(path.resolve(SOURCES)))
        .toList();
  }

  private static String anyClassOf(Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module.resolve(SOURCES))) {
      Path file =
          files
              .filter(path -> path.toString().endsWith(".java"))
              .filter(path -> !path.endsWith("package-info.java"))
              .findAny()
              .orElseThrow();
      String path = module.resolve(SOURCES).relativize(file).toString();
      return path.substring(0, path.length() - ".java".length()).replace('/', '.');
    }
  }

  @ArchTest
  static final ArchRule coreDependsOnNothingButJavaAndJspecify =
      classes()
          .that()
          .resideInAPackage(CORE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(API, CORE, "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule theApiDependsOnNothingButCoreAndJava =
      classes()
          .that()
          .resideInAPackage(API)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(API, CORE, "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule coreDoesNoInputOrOutput =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.io..", "java.nio..", "java.net..", "java.sql..", "java.util.concurrent.locks..")
          .orShould()
          .accessClassesThat()
          .areAssignableTo(Thread.class);

  @ArchTest
  static final ArchRule coreReadsNeitherAClockNorChance =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType())
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.Random.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.random.RandomGenerator.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.Date.class);

  @ArchTest
  static final ArchRule corePackagesHaveNoCycles =
      slices().matching("dev.millrace.core.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule dynamodbPackagesHaveNoCycles =
      slices().matching("dev.millrace.dynamodb.(*)..").should().beFreeOfCycles();

  /** The direction in which a reader follows an acquire; nothing calls back. */
  @ArchTest
  static final ArchRule clientPackagesUseEachOtherInOneDirection =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("flow")
          .definedBy("dev.millrace.client.internal")
          .layer("lease")
          .definedBy("dev.millrace.client.internal.lease")
          .layer("shard")
          .definedBy("dev.millrace.client.internal.shard")
          .layer("resolve")
          .definedBy("dev.millrace.client.internal.resolve")
          .layer("write")
          .definedBy("dev.millrace.client.internal.write")
          .layer("mirror")
          .definedBy("dev.millrace.client.internal.mirror")
          .layer("store")
          .definedBy("dev.millrace.client.internal.store")
          .whereLayer("flow")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("lease")
          .mayOnlyBeAccessedByLayers("flow")
          .whereLayer("resolve")
          .mayOnlyBeAccessedByLayers("flow")
          .whereLayer("shard")
          .mayOnlyBeAccessedByLayers("flow", "lease")
          .whereLayer("write")
          .mayOnlyBeAccessedByLayers("flow", "lease", "shard", "resolve")
          .whereLayer("mirror")
          .mayOnlyBeAccessedByLayers("flow", "lease", "shard", "resolve", "write");

  @ArchTest
  static final ArchRule internalPackagesOfDynamodbHaveNoCycles =
      slices().matching("dev.millrace.dynamodb.internal.(*)..").should().beFreeOfCycles();

  /** Those that read its items themselves: what the stream has, what a template declares. */
  @ArchTest
  static final ArchRule onlyProgramsOfOursKnowTheInternalsOfDynamodb =
      noClasses()
          .that()
          .resideOutsideOfPackages(DYNAMODB, AGGREGATOR, WORKER, DEPLOY, BENCHMARKS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.millrace.dynamodb.internal..");

  @ArchTest
  static final ArchRule clientDoesNotKnowDynamodb =
      noClasses()
          .that()
          .resideInAPackage(CLIENT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(DYNAMODB, "software.amazon..");

  @ArchTest
  static final ArchRule dynamodbDoesNotKnowTheClient =
      noClasses()
          .that()
          .resideInAPackage(DYNAMODB)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(CLIENT);

  @ArchTest
  static final ArchRule adminDependsOnNothingButCore =
      classes()
          .that()
          .resideInAPackage(ADMIN)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(ADMIN, API, CORE, "java..", "org.jspecify..");

  /** Time, chance and waiting are options, so that a simulation can bring its own. */
  @ArchTest
  static final ArchRule onlyOptionsOfTheAdministrationReadAClockOrSleep =
      noClasses()
          .that()
          .resideInAPackage(ADMIN)
          .and()
          .haveSimpleNameNotContaining("AdminOptions")
          .and()
          .doNotHaveSimpleName("Pacer")
          .should()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType())
          .orShould()
          .callMethod(Thread.class, "sleep", long.class);

  /** Beside the libraries on top of it, the programs that print its results. */
  @ArchTest
  static final ArchRule onlyProgramsOfOursKnowTheInternalsOfTheAdministration =
      noClasses()
          .that()
          .resideOutsideOfPackages(ADMIN, MANIFEST, REGIONS, SERVER, CLI)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.millrace.admin.internal..");

  @ArchTest
  static final ArchRule onlyProgramsOfOursKnowTheInternalsOfManifests =
      noClasses()
          .that()
          .resideOutsideOfPackages(MANIFEST, SERVER, CLI)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.millrace.manifest.internal..");

  @ArchTest
  static final ArchRule onlyProgramsOfOursKnowTheInternalsOfRegions =
      noClasses()
          .that()
          .resideOutsideOfPackages(REGIONS, S3, WORKER, CLI_SERVICES, BENCHMARKS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(REGIONS_INTERNAL);

  @ArchTest
  static final ArchRule aggregatorDependsOnCoreAndDynamodbOnly =
      noClasses()
          .that()
          .resideInAPackage(AGGREGATOR)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.millrace..")
                  .and(not(resideInAnyPackage(AGGREGATOR, API, CORE, DYNAMODB))));

  /** Its clock and its chance are options. */
  @ArchTest
  static final ArchRule internalsOfTheAggregatorReadNeitherAClockNorChance =
      noClasses()
          .that()
          .resideInAPackage("dev.millrace.aggregator.internal..")
          .should()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType())
          .orShould()
          .dependOnClassesThat(areSdkClients());

  /** But for the text of dead letters and audit events, which destinations of ours share. */
  @ArchTest
  static final ArchRule internalsOfTheAggregatorAreItsOwn =
      noClasses()
          .that()
          .resideOutsideOfPackage(AGGREGATOR)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("dev.millrace.aggregator.internal..")
                  .and(not(simpleName("DestinationJson"))));

  @ArchTest
  static final ArchRule ledgersAndSnapshotsDependOnNothingButCoreAndAStreamOfJson =
      classes()
          .that()
          .resideInAPackage(REGIONS_INTERNAL)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      REGIONS_INTERNAL,
                      API,
                      CORE,
                      "java..",
                      "org.jspecify..",
                      "com.fasterxml.jackson.core..")
                  .or(simpleName("AllocationPolicy"))
                  .or(simpleName("EvictionSeal")));

  /** What it changes in a table, it changes as an operator would. */
  @ArchTest
  static final ArchRule regionsKnowTheirTableThroughCoreAndAdmin =
      noClasses()
          .that()
          .resideInAPackage(REGIONS)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.millrace..")
                  .and(not(resideInAnyPackage(REGIONS, API, CORE, ADMIN))));

  @ArchTest
  static final ArchRule regionsReadNeitherAClockNorChance =
      noClasses()
          .that()
          .resideInAPackage(REGIONS)
          .should()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType())
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.random.RandomGenerator.class);

  @ArchTest
  static final ArchRule packagesOfRegionsHaveNoCycles =
      slices().matching("dev.millrace.regions.internal.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule s3DependsOnCoreTheAggregatorAndRegionsOnly =
      noClasses()
          .that()
          .resideInAPackage(S3)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.millrace..")
                  .and(not(resideInAnyPackage(S3, API, CORE, AGGREGATOR, REGIONS))));

  /** They go into every program: what they drag in, everybody gets. */
  @ArchTest
  static final ArchRule adaptersDependOnCoreAndClientOnly =
      noClasses()
          .that()
          .resideInAPackage(ADAPTERS)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.millrace..")
                  .and(not(resideInAnyPackage(ADAPTERS, API, CORE, CLIENT))));

  @ArchTest
  static final ArchRule integrationsUseNoInternals =
      noClasses()
          .that()
          .resideInAnyPackage(ADAPTERS, SPRING, LLM, LANGCHAIN4J, SPRING_AI)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.millrace.core..internal..",
              "dev.millrace.client.internal..",
              "dev.millrace.dynamodb.internal..",
              "dev.millrace.admin.internal..");

  /** Who renders refusals and limits needs none of the libraries that the adapters adapt. */
  @ArchTest
  static final ArchRule whatIsSaidOverHttpNeedsNoLibrary =
      classes()
          .that()
          .resideInAPackage("dev.millrace.adapters.http..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(ADAPTERS, API, CORE, CLIENT, "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule onlyTheStarterAndTheAdvisorKnowSpring =
      noClasses()
          .that()
          .resideOutsideOfPackages(SPRING, SPRING_AI)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.springframework..", SPRING);

  @ArchTest
  static final ArchRule theStarterKnowsTheTestKitForTestsOnly =
      noClasses()
          .that()
          .resideInAPackage(SPRING)
          .and()
          .resideOutsideOfPackage("dev.millrace.spring.test..")
          .and()
          .doNotHaveFullyQualifiedName(
              "dev.millrace.spring.internal.MillraceAutoConfiguration$MemoryStoreConfiguration")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.millrace.testkit..", "org.junit..", "org.springframework.test..");

  /** An application without Reactor or without servlets must not load what needs them. */
  @ArchTest
  static final ArchRule theStarterLoadsReactorAndServletsOnlyWhereTheyAre =
      noClasses()
          .that()
          .resideInAPackage(SPRING)
          .and()
          .haveNameNotMatching(
              ".*\\.(Reactive.*|MillraceFilter|MillraceWebFilter|MillraceWebAutoConfiguration)(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("reactor..", "jakarta.servlet..");

  /** Except their commands, and what puts a server to the test. */
  @ArchTest
  static final ArchRule nothingDependsOnTheShells =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              WORKER,
              LAMBDA,
              DEPLOY,
              SERVER,
              CLI_SERVICES,
              CLI_DEPLOY,
              "dev.millrace.proving.http..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(WORKER, LAMBDA, DEPLOY, SERVER);

  /** The command is a leaf: only what brings further commands depends on it. */
  @ArchTest
  static final ArchRule onlyFurtherCommandsKnowTheCommand =
      noClasses()
          .that()
          .resideOutsideOfPackages(CLI, BENCHMARKS, PROVING)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CLI, COMMAND_PARSER);

  /** They are built when one of them is first used, and not with the others. */
  @ArchTest
  static final ArchRule theCommandDoesNotKnowFurtherCommands =
      noClasses()
          .that()
          .resideInAPackage(CLI)
          .and()
          .resideOutsideOfPackages(CLI_SERVICES, CLI_DEPLOY)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CLI_SERVICES, CLI_DEPLOY, SERVER, WORKER, DEPLOY);

  @ArchTest
  static final ArchRule theServerKnowsNeitherTheWorkerNorTheEmbeddedEngine =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(WORKER, EMBEDDED);

  @ArchTest
  static final ArchRule theWorkerKnowsNeitherTheServerNorTheEmbeddedEngine =
      noClasses()
          .that()
          .resideInAPackage(WORKER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SERVER, EMBEDDED);

  /** What sets a table up needs nothing of what uses it. */
  @ArchTest
  static final ArchRule deploymentDependsOnCoreDynamodbAndAdminOnly =
      noClasses()
          .that()
          .resideInAPackage(DEPLOY)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.millrace..")
                  .and(not(resideInAnyPackage(DEPLOY, API, CORE, DYNAMODB, ADMIN))));

  @ArchTest
  static final ArchRule theWorkerDoesNotKnowTheFunction =
      noClasses()
          .that()
          .resideInAPackage(WORKER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(LAMBDA);

  /** Its jar must stay small and start fast. */
  @ArchTest
  static final ArchRule theFunctionKnowsNeitherLimitersNorCommands =
      noClasses()
          .that()
          .resideInAPackage(LAMBDA)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.millrace..")
                  .and(
                      not(
                          resideInAnyPackage(
                              LAMBDA, API, CORE, DYNAMODB, AGGREGATOR, REGIONS, S3))));

  @ArchTest
  static final ArchRule onlyTheWorkerKnowsTheKinesisClientLibrary =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.millrace.worker.kcl..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("software.amazon.kinesis..", "com.amazonaws.services.dynamodbv2..");

  @ArchTest
  static final ArchRule nothingDependsOnWhatMeasuresAndProves =
      noClasses()
          .that()
          .resideOutsideOfPackages(BENCHMARKS, PROVING, SIMULATOR)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(BENCHMARKS, PROVING, SIMULATOR);

  @ArchTest
  static final ArchRule whatIsShippedDoesNotKnowTheTestKit =
      noClasses()
          .that()
          .resideInAnyPackage(
              CORE,
              CLIENT,
              ADMIN,
              DYNAMODB,
              AGGREGATOR,
              REGIONS,
              MANIFEST,
              S3,
              WORKER,
              LAMBDA,
              DEPLOY,
              SERVER,
              ADAPTERS,
              CLI,
              LLM,
              LANGCHAIN4J,
              SPRING_AI)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.millrace.testkit..", "org.junit..", "org.assertj..");

  /** An application brings the store, and may call models by itself. */
  @ArchTest
  static final ArchRule metersOfModelsDependOnTheClientAndCoreOnly =
      classes()
          .that()
          .resideInAPackage(LLM)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              LLM,
              API,
              CORE,
              "java..",
              "org.jspecify..",
              "com.knuddels.jtokkit..",
              "com.github.benmanes.caffeine..");

  @ArchTest
  static final ArchRule integrationsWithLibrariesAreMadeOfMeters =
      noClasses()
          .that()
          .resideInAnyPackage(LANGCHAIN4J, SPRING_AI)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.millrace..")
                  .and(not(resideInAnyPackage(LANGCHAIN4J, SPRING_AI, LLM, API, CORE))));

  @ArchTest
  static final ArchRule onlyItsIntegrationKnowsLangchain4j =
      noClasses()
          .that()
          .resideOutsideOfPackage(LANGCHAIN4J)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.langchain4j..");

  @ArchTest
  static final ArchRule onlyItsIntegrationKnowsSpringAi =
      noClasses()
          .that()
          .resideOutsideOfPackage(SPRING_AI)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.springframework.ai..");

  /** Manifests are for any store: they reach it through the administration. */
  @ArchTest
  static final ArchRule manifestsKnowNoStore =
      noClasses()
          .that()
          .resideInAPackage(MANIFEST)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("dev.millrace..", "software.amazon..")
                  .and(not(resideInAnyPackage(MANIFEST, ADMIN, API, CORE, REGIONS))))
          .orShould()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType());

  /** A plan and an apply cannot differ: both ask it, and it asks nobody. */
  @ArchTest
  static final ArchRule theDifferIsPure =
      noClasses()
          .that()
          .haveFullyQualifiedName("dev.millrace.manifest.internal.ManifestDiff")
          .should()
          .dependOnClassesThat()
          .haveSimpleNameEndingWith("Admin")
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("java.io..", "java.nio..", "java.util.concurrent..");

  /** An oracle that asked the code it judges would agree with it. */
  @ArchTest
  static final ArchRule theOracleReadsStatesAndComputesForItself =
      noClasses()
          .that()
          .resideInAPackage("dev.millrace.simulator.oracle..")
          .should()
          .callMethodWhere(isOfCoreAndNoneOf(FACTS_OF_A_BUCKET));

  /** Its licence forbids to compile against it. */
  @ArchTest
  static final ArchRule nothingRefersToDynamodbLocal =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "software.amazon.dynamodb..", "com.amazonaws.services.dynamodbv2.local..");

  @ArchTest
  static final ArchRule embeddedKnowsNothingOfWhatIsSentToIt =
      noClasses()
          .that()
          .resideInAPackage("dev.millrace.embedded..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("dev.millrace..", "software.amazon..")
                  .and(not(resideInAPackage("dev.millrace.embedded.."))));

  @ArchTest
  static final ArchRule onlyStoresCallsAndAdminOfDynamodbCallTheSdk =
      noClasses()
          .that()
          .resideInAPackage(DYNAMODB)
          .and()
          .resideOutsideOfPackages(
              "dev.millrace.dynamodb.client..",
              "dev.millrace.dynamodb.internal.call..",
              "dev.millrace.dynamodb.admin..")
          .should()
          .dependOnClassesThat(areSdkClients());

  /** Clocks, threads and chance are options, so that a simulation can bring its own. */
  @ArchTest
  static final ArchRule onlyOptionsOfTheClientDependOnTheMachine =
      noClasses()
          .that()
          .resideInAnyPackage(API, CLIENT)
          .and()
          .haveSimpleNameNotStartingWith("System")
          .should()
          .callMethodWhere(isOneOf("read a clock or chance", CLOCKS_AND_CHANCE))
          .orShould()
          .callMethodWhere(isNowOfATimeType())
          .orShould()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callConstructor(Thread.class, Runnable.class, String.class)
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(ForkJoinPool.class, Executors.class, ThreadLocalRandom.class);

  @ArchTest
  static final ArchRule internalsOfTheClientAreItsOwn =
      noClasses()
          .that()
          .resideOutsideOfPackage(CLIENT)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.millrace.client.internal..");

  /**
   * The benchmarks turn a logger off, and the server says how lines look: who logs can do neither.
   */
  @ArchTest
  static final ArchRule nobodyLogsPastTheSystemLogger =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.millrace.benchmarks.Quiet")
          .and()
          .doNotHaveFullyQualifiedName("dev.millrace.server.observability.JsonLogFormatter")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.util.logging..", "org.slf4j..", "org.apache.logging..");

  /**
   * Processes tell their parent on their output how they are, a server its supervisor; a progress
   * bar is for a terminal.
   */
  @ArchTest
  static final ArchRule nobodyPrintsButTheCommandLineAndChildProcesses =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              CLI, "dev.millrace.embedded..", "dev.millrace.proving.soak.worker..")
          .and()
          .doNotHaveFullyQualifiedName("dev.millrace.benchmarks.ProgressView")
          .and()
          .doNotHaveFullyQualifiedName("dev.millrace.server.process.ServerMain")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  private static DescribedPredicate<JavaCall<?>> isOneOf(String description, Set<String> methods) {
    return DescribedPredicate.describe(
        description,
        call ->
            methods.contains(
                call.getTargetOwner().getFullName() + "." + call.getTarget().getName()));
  }

  private static DescribedPredicate<JavaCall<?>> isOfCoreAndNoneOf(Set<String> methods) {
    return DescribedPredicate.describe(
        "is of core and none of " + methods,
        call ->
            resideInAnyPackage(API, CORE).test(call.getTargetOwner())
                && !methods.contains(call.getTarget().getName()));
  }

  private static DescribedPredicate<JavaCall<?>> isNowOfATimeType() {
    return DescribedPredicate.describe(
        "ask what time it is",
        call ->
            TYPES_THAT_KNOW_THE_TIME.contains(call.getTargetOwner().getFullName())
                && (call.getTarget().getName().equals("now")
                    || call.getTarget().getName().startsWith("system")));
  }

  private static DescribedPredicate<JavaClass> areSdkClients() {
    return DescribedPredicate.describe(
        "are clients of the SDK",
        type ->
            type.getPackageName().startsWith("software.amazon.awssdk")
                && type.getSimpleName().endsWith("Client"));
  }
}
