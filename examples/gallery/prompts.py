"""Which instruction and which *set* of demonstrations should a prompt of DSPy have?

A stub stands for the language model, so that this runs offline and the answer is known: it is right more often if its
prompt has the careful instruction and demonstrations that differ. Put `dspy.LM(...)` and your metric in its place.
"""

import hashlib

import dspy

import bocs

INSTRUCTIONS = ["Answer.", "Answer in one word.", "Think step by step, then answer in one word."]
TOPICS = ["sums", "dates", "units", "names", "sums", "dates", "units", "names", "sums", "dates"]
demos = {f"demo {k}": dspy.Example(question=f"{topic} {k}?", answer=topic).with_inputs("question") for k, topic in enumerate(TOPICS)}
tests = [dspy.Example(question=f"{topic} {k}!", answer=topic).with_inputs("question") for k, topic in enumerate(TOPICS * 4)]


class Stub(dspy.LM):
    def __init__(self):
        super().__init__("stub", cache=False)

    def forward(self, prompt=None, messages=None, **arguments):
        text = "\n".join(message["content"] for message in messages)
        topic = messages[-1]["content"].split("## ]]\n")[1].split()[0]
        known = 0.3 + 0.3 * ("step by step" in text) + 0.3 * (f"{topic} " in text.split(messages[-1]["content"])[0])
        sure = int(hashlib.sha256(messages[-1]["content"].encode()).hexdigest(), 16) % 100 < 100 * known
        return reply(topic if sure else "unknown")


def reply(answer):
    from litellm import Choices, Message, ModelResponse

    content = f"[[ ## answer ## ]]\n{answer}\n\n[[ ## completed ## ]]"
    return ModelResponse(choices=[Choices(message=Message(content=content))], model="stub", usage={})


def accuracy(x):
    program = dspy.Predict(dspy.Signature("question -> answer", x["instruction"]))
    program.demos = [demos[name] for name in x["demos"]]
    evaluate = dspy.Evaluate(devset=tests, metric=lambda example, got, trace=None: example.answer == got.answer, num_threads=1)
    return float(evaluate(program).score)


dspy.configure(lm=Stub())
space = {"instruction": INSTRUCTIONS, "demos": bocs.subset(list(demos), (0, 4))}
result = bocs.maximize(accuracy, space, trials=40, seed=1)
print("accuracy", result.value, "with", repr(result.x["instruction"]))
print("topics shown:", sorted({demos[name].answer for name in result.x["demos"]}))
result.plot().figure.savefig("prompts.png", dpi=120)
