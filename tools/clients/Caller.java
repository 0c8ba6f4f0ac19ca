import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.MeteringApi;
import org.openapitools.client.api.VerdictsApi;
import org.openapitools.client.model.CheckResult;
import org.openapitools.client.model.DecisionDigests;
import org.openapitools.client.model.EvaluateInput;
import org.openapitools.client.model.EvaluateInputScheme;
import org.openapitools.client.model.EvaluateProblem422;
import org.openapitools.client.model.EvaluateRequest;
import org.openapitools.client.model.Fault;
import org.openapitools.client.model.Plot;
import org.openapitools.client.model.Polygon;
import org.openapitools.client.model.RoleScheme;
import org.openapitools.client.model.Ruleset;
import org.openapitools.client.model.RulesetAreaSet;
import org.openapitools.client.model.RulesetCheck;
import org.openapitools.client.model.RulesetCheckOfOne;
import org.openapitools.client.model.RulesetComparisonValue;
import org.openapitools.client.model.RulesetMeasure;
import org.openapitools.client.model.RulesetRegisterSet;
import org.openapitools.client.model.RulesetSet;
import org.openapitools.client.model.RulesetSetsValue;
import org.openapitools.client.model.Verdict;

/** Asks the service at the address and with the key given, by the client that openapi-generator makes. */
public class Caller {
    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient().setBasePath(args[0]);
        client.setBearerToken(args[1]);
        VerdictsApi verdicts = new VerdictsApi(client);

        Plot plot = polygon(
                position(-59.5983914, -10.5794828),
                position(-59.5806128, -10.546897),
                position(-59.6151191, -10.5288302),
                position(-59.631538, -10.5620049),
                position(-59.5983914, -10.5794828));
        Plot bowTie = polygon(position(0, 0), position(1, 1), position(1, 0), position(0, 1), position(0, 0));
        Ruleset ruleset = new Ruleset()
                .putSetsItem("protected", set(new RulesetAreaSet().addSourcesItem("demo:protected")))
                .putSetsItem("listed", set(new RulesetRegisterSet().addRegistersItem("demo:sanctions")))
                .addChecksItem(new RulesetCheck(new RulesetCheckOfOne()
                        .id("share")
                        .set("protected")
                        .measure(new RulesetMeasure("overlap_ratio"))
                        .op(RulesetCheckOfOne.OpEnum.GREATER_THAN)
                        .value(new RulesetComparisonValue(new BigDecimal("0.001")))
                        .outcome(RulesetCheckOfOne.OutcomeEnum.NON_COMPLIANT)))
                .addChecksItem(new RulesetCheck(new RulesetCheckOfOne()
                        .id("listed")
                        .set("listed")
                        .outcome(RulesetCheckOfOne.OutcomeEnum.NON_COMPLIANT)));
        EvaluateInputScheme owner =
                new EvaluateInputScheme(new RoleScheme().type("br:cnpj").value("78.018.459/0001-00"));

        EvaluateRequest question = new EvaluateRequest()
                .input(new EvaluateInput().geometry(plot).scheme(owner))
                .ruleset(ruleset);
        Verdict verdict = verdicts.evaluate(question, null, null, null, null)
                .getEvaluateResponse()
                .getData();

        DecisionDigests digests = new MeteringApi(client)
                .decisions(null, 1, null, null, null, null, null, null, null)
                .getData()
                .getItems()
                .get(0)
                .getDigests();

        String outcomes = verdict.getChecks().stream().map(Caller::line).collect(Collectors.joining(", "));
        System.out.println(
                verdict.getVerdict() + " " + outcomes + " " + digests.getVerdict() + " " + digests.getRuleset());
        System.out.println(digests.getEditions().get("demo:parks"));

        EvaluateRequest refused = new EvaluateRequest().input(new EvaluateInput().geometry(bowTie)).ruleset(ruleset);
        try {
            verdicts.evaluate(refused, null, null, null, null);
            throw new AssertionError("a bow tie was answered");
        } catch (ApiException refusal) {
            EvaluateProblem422 problem = EvaluateProblem422.fromJson(refusal.getResponseBody());
            Fault fault = problem.getErrors().get(0);
            System.out.println(problem.getCode() + " " + fault.getCode() + " " + fault.getRing());
        }
    }

    static String line(CheckResult check) {
        return check.getId() + " " + check.getOutcome() + " "
                + check.getComparisons().get(0).getMeasure().getString();
    }

    static RulesetSetsValue set(Object of) {
        return new RulesetSetsValue(new RulesetSet(of));
    }

    static List<BigDecimal> position(double longitude, double latitude) {
        return Arrays.asList(BigDecimal.valueOf(longitude), BigDecimal.valueOf(latitude));
    }

    @SafeVarargs
    static Plot polygon(List<BigDecimal>... ring) {
        return new Plot(new Polygon().type(Polygon.TypeEnum.POLYGON).addCoordinatesItem(Arrays.asList(ring)));
    }
}
