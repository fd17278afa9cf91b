"""Words of other languages that tell little of what a text is about, for `multilingual.py`. As in `distill.py` three
kinds: words that only hold a sentence together, words that turn a sense round, words every chat is full of."""

FUNCTION = {
    "ko": """은 는 이 가 을 를 의 에 에서 에게 께 께서 와 과 도 만 로 으로 부터 까지 보다 처럼 이나 나 이라 라 라고 이라고 랑 이랑 하고 며 이며
    고 서 면 으면 니 지만 는데 은데 ㄴ데 다 이다 입니다 입니까 습니다 습니까 합니다 합니까 하다 한다 하는 하기 하여 해서 했다 했습니다 했어 하면
    해 해요 했던 할 함 된다 되는 되어 되어있 있다 있는 있습니다 있어 있고 있으며 있 였다 이었다 였습니다 어 아 야 이야 요 이요 네요 예요 이에요 죠 지 니까 것 거 건 게 걸 수
    등 및 그리고 그러나 하지만 그런데 그래서 또는 때 때문에 때문 중 중에 위해 위한 대한 대해 통해 따라 관한 같은 같이 이런 그런 저런 어떤 이것 그것
    저것 여기 거기 저기 나 나는 내 내가 저 저는 제 제가 너 우리 우리는 우리가 그 그는 그녀 당신 누구 누가 무엇 뭐 뭐야 뭘 무슨 어디 어디에 언제 왜
    어떻게 몇 얼마 얼마나 어느 인가 인가요 나요 까 까요 ㅂ니다 는가 던 었다 았다 었 았 겠 려고 도록 기 음 한 된 인 들 적 는지 은지 지는 기를 에는 에도 에서는 으로는""",
    "zh": """的 了 是 在 和 与 與 及 或 也 都 就 而 但 但是 并 並 且 所 以 所以 因为 因為 如果 那么 那麼 把 被 对 對 向 从 從 到 由 于 於 为 為 之 其 此
    这 這 那 这个 這個 那个 那個 这些 這些 那些 这里 這裡 那里 那裡 我 我的 我们 我們 你 你的 你们 你們 他 她 它 他们 他們 她们 它们 您 自己 什么 什麼 谁 誰
    哪 哪里 哪裡 哪个 哪個 哪些 几 幾 多少 多久 怎么 怎麼 怎样 怎樣 如何 为什么 為什麼 何时 吗 嗎 呢 吧 啊 呀 嘛 啦 着 著 过 過 得 地 个 個 有 会 會 能 可以 可
    要 将 將 还 還 又 很 太 最 更 已 已经 已經 时候 時候 时 時 里 裡 中 等 一个 一個 是什么 有什么 的是 是我 我在 是在 都是 也是""",
    "ja": """の に は を が と で も から まで より へ や か な ね よ わ し て た だ です ます でした ました である であり であった では には とは での への からの
    する した して します しました している していた していました しています される された されて されている なる なった なり いる いた います いて ある あった あり
    あります ない いない れる られる せる させる こと もの ため よう ような ように そう この その あの どの これ それ あれ どれ ここ そこ どこ こんな そんな どんな 私 私の 私は わたし
    僕 俺 あなた 彼 彼女 自分 誰 だれ 何 なに いつ なぜ どう どうして どうやって いくつ いくら どちら のは のが のか のを ので のに けど けれど しかし そして また でも
    という といった として について による によって において ので ば ながら など ほど くらい ぐらい さん だった ください か? ですか ますか とき 時 中 的 い き り く つ る う さ け せ め み""",
    "th": """ที่ และ ของ ใน เป็น มี การ ความ ได้ ให้ จะ ไป มา กับ แต่ หรือ ก็ นี้ นั้น โดย จาก ว่า แล้ว อยู่ คือ ถึง ต้อง ซึ่ง เพื่อ เมื่อ กว่า ด้วย ผู้ อย่าง ต่อ
    แห่ง นะ ค่ะ ครับ คะ จ้ะ ฉัน ผม ดิฉัน คุณ เขา เธอ เรา มัน พวก ใคร อะไร ไหน ที่ไหน เมื่อไหร่ เมื่อไร ทำไม อย่างไร ยังไง เท่าไหร่ เท่าไร กี่ ไหม มั้ย หรือไม่ บาง ทั้ง
    ถ้า เพราะ จึง ขึ้น ลง ออก เข้า บน ใต้ ตัว ทำ ใช้ กัน ก่อน หลัง ยัง เอง ทาง เรื่อง เช่น รับ ๆ ะ า ็ ่ ้ ๊ ๋ ์""",
    "ru": """и в во на с со к ко по за из от до у о об для при над под через между а но или что чтобы как так это этот эта эти этого этой тот та те того той то я мне меня мной мой моя
    моё мое мои моего моей мы нас нам наш наша наши ты тебя тебе твой вы вас вам ваш он его ему им она ее ей они их себя свой своя свои кто кого кому что чего чему чем где куда откуда когда почему
    зачем сколько какой какая какое какие каком какую каких чей который которая которые которого которой ли же бы быть был была было были есть будет будут является если то тоже также еще уже
    только лишь очень там тут здесь из-за ся ть л""",
    "uk": "і й в у на з із зі до від для за про по при та але або що щоб як так це цей ця ці той я мене мені мій моя ми нас нам ти ви він його вона її вони їх хто де коли чому скільки який яка яке які чи ж б бути був була було є",
    "ar": "في من على إلى عن مع و أو أن ان إن هذا هذه ذلك التي الذي هو هي هم نحن أنا انا كان كانت يكون ما ماذا من متى أين كيف لماذا هل كم قد ال لل ب ل ك كل بعض",
    "he": "של את על אל עם או כי אם זה זאת הוא היא הם אני אנחנו אתה מה מי איפה מתי למה איך כמה האם היה היתה יש גם ב ל ה ו מ ש כ",
    "hi": "का के की को से में पर और या है हैं था थे थी हो यह वह ये वे मैं मेरा मेरी मेरे हम आप क्या कौन कहाँ कहां कब क्यों कैसे कितना कितने जो तो भी ही ने एक",
    "el": "ο η το οι τα του της των τον την στο στη στην στον στα σε από για με και ή που πως ότι να θα είναι ήταν έχει μου σου μας σας αυτό αυτή ποιος ποια ποιο τι πού πότε γιατί πώς πόσο ένα μια ένας δεν",
    "de": """der die das den dem des ein eine einen einem einer eines und oder aber als wie wenn weil dass daß ob zu zum zur im in am an auf aus bei mit nach von vom vor für über unter durch um gegen
    ich mich mir mein meine meinen meinem meiner du dich dir dein deine er ihn ihm sein seine sie ihr ihre es wir uns unser unsere euch man sich wer wen wem was wann wo wohin woher womit warum wieso welche
    welcher welches welchen welchem ist sind war waren bin bist sei wird werden wurde wurden worden hat haben habe hatte hatten kann können muss müssen soll sollen will wollen darf dürfen mag möchte auch
    noch schon nur sehr so dann denn doch hier da dort dieser diese dieses diesen diesem jeder jede jedes viel viele""",
    "fr": """le la les l un une des du de d au aux et ou mais que qui quoi dont où quand comment pourquoi combien quel quelle quels quelles je j me m moi mon ma mes tu te toi ton ta tes il elle on nous vous ils
    elles se s son sa ses notre nos votre vos leur leurs ce cet cette ces c est sont était étaient être été ai as a avons avez ont avait avoir à en dans par pour sur avec chez entre vers y si comme plus très
    aussi déjà donc car qu n""",
    "es": """el la los las un una unos unas lo al del de y e o u pero que qué quien quién quienes cual cuál cuales cuándo cuando cómo como dónde donde porque por qué cuánto cuánta cuántos cuántas yo me mi mis
    mí tú te tu tus él ella nos nosotros nuestro nuestra ellos ellas se su sus le les este esta estos estas ese esa eso esto es son era fue ser está están estaba estar ha han he hay había haber a en con para
    sobre entre desde hasta si muy más también ya""",
    "pt": """o a os as um uma uns umas ao à aos às do da dos das no na nos nas de em por pelo pela com para e ou mas que quem qual quais quando como onde porque por quê quanto quantos quantas eu me meu minha meus
    minhas tu você vocês ele ela eles elas nós nos nosso nossa se seu sua seus suas este esta esse essa isso isto é são era foi ser está estão estava estar tem têm há ter já muito mais também""",
    "it": """il lo la i gli le un uno una di del della dei delle da dal in nel nella con su sul per tra fra e o ma che chi cui quale quali quando come dove perché quanto io mi mio mia miei tu ti tuo lui lei noi ci
    nostro voi loro si suo sua questo questa è sono era erano essere ha hanno ho avere anche più molto già""",
    "vi": "là và của có cho với các những một này đó được trong khi từ ở về như tôi mình bạn chúng ta anh chị em nó họ ai gì nào đâu sao thế bao nhiêu mấy thì mà để bị đã đang sẽ rất cũng vào ra lại",
    "nl": "de het een en of maar dat die wat wie waar wanneer hoe waarom welke ik mij mijn jij je hij zij ze wij we ons onze hun is zijn was waren heeft hebben had wordt worden van in op aan bij met voor naar uit om te ook nog al zo er",
    "pl": "i w z na do od dla za o po przy ale lub albo że żeby jak tak to ten ta te ja mnie mi mój moja my nas nam ty wy on jego ona jej oni ich kto co gdzie kiedy dlaczego ile jaki jaka jakie który która które czy się jest są był była było być już też",
}

TURNING = {
    "ko": "안 못 아니 아니다 아닌 않 않는 않다 않습니다 않고 않은 없다 없는 없이 없습니다 없 말 지않",
    "zh": "不 没 沒 没有 沒有 无 無 非 别 別 不要 不能 不是 未 前 后 後 上 下",
    "ja": "ず ぬ ません ませんでした なく なかった なし 無し 非 不 未 前 後 上 下",
    "th": "ไม่ ไม่ได้ ไม่มี ไม่ใช่ อย่า ห้าม เลิก",
    "ru": "не нет ни без никогда больше менее не_",
    "uk": "не ні без ніколи",
    "de": "nicht kein keine keinen keinem keiner ohne nie niemals mehr ab nein",
    "fr": "ne pas sans jamais non plus aucun aucune",
    "es": "no sin nunca ni ningún ninguna jamás",
    "pt": "não sem nunca nem nenhum nenhuma",
    "it": "non senza mai nessuno no",
    "vi": "không chưa chẳng đừng",
    "nl": "niet geen zonder nooit",
    "pl": "nie bez nigdy",
}

LIGHT = {
    "ko": "네 예 응 그래 안녕 안녕하세요 감사 감사합니다 고마워 정말 진짜 아주 매우 너무 좀 조금 많이 잘 좋은 좋다 사람 생각 말했다 알려 사용 사용하는",
    "zh": "好 是的 对 你好 谢谢 謝謝 请 請 真 非常 一些 一点 很多 东西 說 说 想 知道 觉得 使用 用 做",
    "ja": "はい いいえ うん ありがとう ありがとうございます お願いします とても すごく ちょっと 少し 思う 思います 思った 言う 言った 知る 使う 使って 使用 良い いい 人",
    "th": "ครับผม ค่า ขอบคุณ สวัสดี มาก บ้าง หน่อย ดี รู้ คิด บอก พูด อยาก",
    "ru": "да ага привет спасибо пожалуйста очень просто хорошо можно нужно надо знать думаю говорит сказал делать",
    "de": "ja hallo danke bitte gut gern gerne mal etwas alles wissen denke sagen gesagt machen macht gibt",
    "fr": "oui bonjour merci bien tout tous faire fait dit dire sais peut avoir besoin",
    "es": "sí hola gracias bueno bien todo todos hacer hace dice decir saber puede tiene",
    "pt": "sim olá obrigado obrigada bem bom tudo todos fazer faz disse dizer saber pode",
}

# Languages whose words are not kept; what they look like, so that they are not taken for one that is.
OTHERS = {
    "tr": "ve bir bu için ile olarak daha gibi çok kadar olan sonra değil ama ben sen biz ne var yok nasıl neden şey iyi yeni büyük",
    "id": "yang dan di dengan untuk dari pada tidak ini itu akan dalam adalah saya kamu kita mereka apa sudah bisa oleh juga karena tahun orang",
    "cs": "a že se na je s z do to v jako ale pro tak jsem jsou když nebo by být která který jejich bylo také sa aj ktoré alebo",
    "hu": "hogy nem és az egy is meg van csak volt mint ha már kell lesz vagy minden nagyon ezt amely",
    "ro": "și nu cu pentru care este din sunt mai dar fost sau după acest această când foarte lui între",
    "sv": "och att det som en på är av för med den till inte om har jag men ett så från vi var kan hade när eller også efter mycket ikke blev",
    "fi": "ja on ei että se oli mutta kun niin myös ovat hän mukaan olla kuin jos sekä kanssa",
    "et": "ja ei see oma kui et mis ka või nii aga kasutatakse alati väike uue",
    "hr": "i je da se na u su za od koji kao ali nije bio samo više može biti kada ili tudi lahko kot ker največ",
    "tl": "ang ng sa na mga ay at hindi ito para siya ako",
    "ca": "els amb una són és però també quan molt aquest seva",
    "sw": "kwa na ya katika hii kama wa za kuwa hivyo lakini tofauti mchezo hizi bado kutoa alikuwa nyingi tovuti waandishi",
    "eu": "eta ez bat aurten galdu batek berdin dira dute izan",
    "lv": "arī ir kas kad tai ziņas īpaši jauno lietošana saviem yra buvo apie",
    "af": "nie vir verskeie hulle dogter gesels hom sy",
    "so": "waxaa iyo ayaa amurka oromoo inuu ka soo",
    "is": "að ekki fyrir fengið sem hann við myndi",
    "sq": "dhe për një është nga që",
    "eo": "kaj estas kiu por kompren",
    "la": "euismod posuere malesuada vulputate sancti licet recens tibi iure quod",
}

# Words of the kept languages that are no English words: a text that holds more of them than English function words
# is read as being in one of those languages.
FOREIGN = """
und ist ich mein eine ein auf aus bei dem oder wir sind das wird une dans que qui notre sans aux est como por della
delle het ik dat ein nur zur por uma
""".split()

# English words that e5 knows as words of another language.
KEPT_ENGLISH = """
prob cons dre pies souvenir todo environ schema mio bom dont gratis poisson prec masse algo sinh informations vers corpora
agora infos sine plen
""".split()
